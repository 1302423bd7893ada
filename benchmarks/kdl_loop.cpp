// Orocos KDL's solvers of a chain over all columns of arrays, with the functions of pinocchio_loop.cpp.

#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/config.h>

#include <string>

using namespace KDL;

namespace {

struct Model {
  Chain chain;
  Vector gravity;
};

Vector vector_of(const double *x) { return Vector(x[0], x[1], x[2]); }

Rotation rotation_of(const double *x) { return Rotation(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]); }

void read(JntArray &x, const double *column) {
  for (unsigned j = 0; j < x.rows(); ++j) x(j) = column[j];
}

template <typename Solver>
void each(const Model *model, const double *const *args, double *out, long n, Solver &solver) {
  const unsigned size = model->chain.getNrOfJoints();
  JntArray q(size), v(size), x(size), found(size);
  Wrenches external(model->chain.getNrOfSegments());
  for (long i = 0; i < n; ++i) {
    read(q, args[0] + i * size);
    read(v, args[1] + i * size);
    read(x, args[2] + i * size);
    solver.CartToJnt(q, v, x, external, found);
    for (unsigned j = 0; j < size; ++j) out[i * size + j] = found(j);
  }
}

}  // namespace

extern "C" {

const char *version() { return KDL_VERSION_STRING; }

Model *model_new(const double *gravity) { return new Model{Chain(), vector_of(gravity)}; }

void model_delete(Model *model) { delete model; }

// The new joint's number, or -1 if it does not turn or does not stand on the joint before it.
long model_add(Model *model, long parent, const char *kind, const double *axis, const double *rotation,
               const double *position, double mass, const double *com, const double *inertia) {
  const long number = model->chain.getNrOfJoints() + 1;
  if (parent != number - 1 || std::string(kind).rfind("JointModelR", 0) != 0) return -1;
  const Frame placement(rotation_of(rotation), vector_of(position));
  const Joint joint(std::to_string(number), placement.p, placement.M * vector_of(axis), Joint::RotAxis);
  const RotationalInertia about_com(inertia[0], inertia[4], inertia[8], inertia[1], inertia[2], inertia[5]);
  const RigidBodyInertia body(mass, vector_of(com), about_com);
  model->chain.addSegment(Segment(std::to_string(number), joint, placement, body));
  return number;
}

void aba_each(const Model *model, const double *const *args, double *out, long n) {
  ChainFdSolver_RNE solver(model->chain, model->gravity);
  each(model, args, out, n, solver);
}

void rnea_each(const Model *model, const double *const *args, double *out, long n) {
  ChainIdSolver_RNE solver(model->chain, model->gravity);
  each(model, args, out, n, solver);
}

void crba_each(const Model *model, const double *const *args, double *out, long n) {
  const unsigned size = model->chain.getNrOfJoints();
  ChainDynParam solver(model->chain, model->gravity);
  JntArray q(size);
  JntSpaceInertiaMatrix M(size);
  for (long i = 0; i < n; ++i) {
    read(q, args[0] + i * size);
    solver.JntToMass(q, M);
    for (unsigned j = 0; j < size * size; ++j) out[i * size * size + j] = M(j % size, j / size);
  }
}

}  // extern "C"
