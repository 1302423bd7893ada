// A number that is several: generated C becomes code for as many states as a vector of the processor holds.
//
// Included before C that CasADi wrote, which then names its numbers `casadi_real`. NUMBER is double or float, LANES how
// many there are in a vector, SIN and COS glibc's functions of such vectors (libmvec).

#include <math.h>

typedef NUMBER pack __attribute__((vector_size(LANES * sizeof(NUMBER))));

extern "C" pack SIN(pack);
extern "C" pack COS(pack);

struct lanes {
  pack x;
  lanes() = default;
  lanes(pack x) : x(x) {}
  lanes(double all) : x(static_cast<NUMBER>(all) - pack{}) {}
};

static inline lanes operator+(lanes a, lanes b) { return a.x + b.x; }
static inline lanes operator-(lanes a, lanes b) { return a.x - b.x; }
static inline lanes operator*(lanes a, lanes b) { return a.x * b.x; }
static inline lanes operator/(lanes a, lanes b) { return a.x / b.x; }
static inline lanes operator-(lanes a) { return -a.x; }
static inline lanes sin(lanes a) { return SIN(a.x); }
static inline lanes cos(lanes a) { return COS(a.x); }
static inline lanes sqrt(lanes a) {
  for (int l = 0; l < LANES; ++l) a.x[l] = sqrt(a.x[l]);
  return a;
}

#define casadi_real lanes
