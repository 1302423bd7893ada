// Simbody's operators over all columns of arrays, with the functions of pinocchio_loop.cpp.
//
// A free joint's rates are Pinocchio's [linear; angular] along the body's axes outside, and Simbody's
// [angular; linear] along the parent's axes inside; each state is turned on its way in and out.

#include <Simbody.h>

#include <string>
#include <vector>

using namespace SimTK;

namespace {

struct Joint {
  MobilizedBodyIndex number;
  bool free;
  int q, v;  // where its numbers begin in a column
};

struct Model {
  explicit Model(const Vec3 &g) : matter(system), forces(system), gravity(forces, matter, g) {}

  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  Force::Gravity gravity;
  std::vector<Joint> joints;
  int nq = 0, nv = 0;
};

Vec3 vector_of(const double *x) { return Vec3(x[0], x[1], x[2]); }

Rotation rotation_of(const double *x) {
  return Rotation(Mat33(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]), true);
}

MassProperties body_of(double mass, const Vec3 &com, const double *inertia) {
  const Inertia about_com(inertia[0], inertia[4], inertia[8], inertia[1], inertia[2], inertia[5]);
  return MassProperties(mass, com, about_com.shiftFromMassCenter(com, mass));
}

// One of Simbody's states, filled from columns and read into columns.
class Loop {
public:
  explicit Loop(const Model &model) : m(model), state(model.system.realizeTopology()) {
    m.system.realizeModel(state);
    for (const Joint &joint : m.joints) {
      const MobilizedBody &body = m.matter.getMobilizedBody(joint.number);
      first_q.push_back(body.getFirstQIndex(state));
      first_u.push_back(body.getFirstUIndex(state));
    }
  }

  void place(const double *q) {
    Vector &inside = state.updQ();
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
      const double *x = q + m.joints[k].q;
      const int at = first_q[k];
      if (m.joints[k].free) {
        const double numbers[] = {x[6], x[3], x[4], x[5], x[0], x[1], x[2]};
        for (int i = 0; i < 7; ++i) inside[at + i] = numbers[i];
        turn = Rotation(Quaternion(Vec4(x[6], x[3], x[4], x[5])));
      } else {
        inside[at] = x[0];
      }
    }
  }

  void move(const double *v) { inward(v, nullptr, state.updU()); }

  // Rates, accelerations or forces; accelerations have the velocity's column beside them.
  void inward(const double *x, const double *v, Vector &inside) const {
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
      const double *column = x + m.joints[k].v;
      const int at = first_u[k];
      if (m.joints[k].free) {
        put(inside, at, turn * vector_of(column + 3));
        put(inside, at + 3, turn * (vector_of(column) + (v ? crossed(v + m.joints[k].v) : Vec3(0))));
      } else {
        inside[at] = column[0];
      }
    }
  }

  void outward(const Vector &inside, const double *v, double *x) const {
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
      double *column = x + m.joints[k].v;
      const int at = first_u[k];
      if (m.joints[k].free) {
        const Vec3 angular = ~turn * got(inside, at);
        const Vec3 linear = ~turn * got(inside, at + 3) - (v ? crossed(v + m.joints[k].v) : Vec3(0));
        for (int i = 0; i < 3; ++i) column[i] = linear[i], column[3 + i] = angular[i];
      } else {
        column[0] = inside[at];
      }
    }
  }

  const Model &m;
  State state;

private:
  // What a moving origin's acceleration has beside the derivatives of its rates along the body's axes.
  static Vec3 crossed(const double *v) { return cross(vector_of(v + 3), vector_of(v)); }
  static Vec3 got(const Vector &x, int at) { return Vec3(x[at], x[at + 1], x[at + 2]); }
  static void put(Vector &x, int at, const Vec3 &three) {
    for (int i = 0; i < 3; ++i) x[at + i] = three[i];
  }

  std::vector<int> first_q, first_u;
  Rotation turn;  // of the free joint; there is at most one
};

}  // namespace

extern "C" {

const char *version() {
  static std::string text;
  int major, minor, build;
  SimTK_version_simbody(&major, &minor, &build);
  text = std::to_string(major) + "." + std::to_string(minor);
  return text.c_str();
}

Model *model_new(const double *gravity) { return new Model(vector_of(gravity)); }

void model_delete(Model *model) { delete model; }

// The new joint's number, or -1 if it neither turns, slides, nor frees the first body.
long model_add(Model *model, long parent, const char *kind, const double *axis, const double *rotation,
               const double *position, double mass, const double *com, const double *inertia) {
  const std::string name(kind);
  const bool free = name == "JointModelFreeFlyer", slides = name.rfind("JointModelP", 0) == 0;
  const bool turns = name.rfind("JointModelR", 0) == 0;
  const long number = model->matter.getNumBodies();
  if (!(free ? number == 1 : turns || slides)) return -1;
  const Transform placement(rotation_of(rotation), vector_of(position));
  const Body::Rigid body(body_of(mass, vector_of(com), inertia));
  MobilizedBody &inboard = model->matter.updMobilizedBody(MobilizedBodyIndex(parent));
  model->joints.push_back({MobilizedBodyIndex(number), free, model->nq, model->nv});
  model->nq += free ? 7 : 1;
  model->nv += free ? 6 : 1;
  if (free) {
    MobilizedBody::Free(inboard, placement, body, Transform());
  } else {
    // A Pin turns about z, a Slider slides along x.
    const Transform along(Rotation(UnitVec3(vector_of(axis)), turns ? CoordinateAxis(ZAxis) : CoordinateAxis(XAxis)));
    if (turns) MobilizedBody::Pin(inboard, placement * along, body, along);
    else MobilizedBody::Slider(inboard, placement * along, body, along);
  }
  return number;
}

void aba_each(const Model *model, const double *const *args, double *out, long n) {
  Loop loop(*model);
  Vector tau(model->nv), found;
  Vector_<SpatialVec> unused;
  for (long i = 0; i < n; ++i) {
    const double *v = args[1] + i * model->nv;
    loop.place(args[0] + i * model->nq);
    loop.move(v);
    loop.inward(args[2] + i * model->nv, nullptr, tau);
    model->system.realize(loop.state, Stage::Dynamics);
    const Vector_<SpatialVec> &weights = model->gravity.getBodyForces(loop.state);
    model->matter.calcAccelerationIgnoringConstraints(loop.state, tau, weights, found, unused);
    loop.outward(found, v, out + i * model->nv);
  }
}

void rnea_each(const Model *model, const double *const *args, double *out, long n) {
  Loop loop(*model);
  Vector a(model->nv), found;
  const Vector none;
  for (long i = 0; i < n; ++i) {
    const double *v = args[1] + i * model->nv;
    loop.place(args[0] + i * model->nq);
    loop.move(v);
    loop.inward(args[2] + i * model->nv, v, a);
    model->system.realize(loop.state, Stage::Velocity);
    const Vector_<SpatialVec> &weights = model->gravity.getBodyForces(loop.state);
    model->matter.calcResidualForceIgnoringConstraints(loop.state, none, weights, a, found);
    loop.outward(found, nullptr, out + i * model->nv);
  }
}

void crba_each(const Model *model, const double *const *args, double *out, long n) {
  const int size = model->nv;
  Loop loop(*model);
  Matrix M;
  std::vector<double> half(size * size);
  Vector line(size);
  for (long i = 0; i < n; ++i) {
    double *found = out + i * size * size;
    loop.place(args[0] + i * model->nq);
    model->system.realize(loop.state, Stage::Position);
    model->matter.calcM(loop.state, M);
    // Columns are forces and turn as such; then, as M is symmetric, rows do.
    for (int j = 0; j < size; ++j) loop.outward(M(j), nullptr, half.data() + j * size);
    for (int j = 0; j < size; ++j) {
      for (int k = 0; k < size; ++k) line[k] = half[k * size + j];
      loop.outward(line, nullptr, found + j * size);
    }
  }
}

}  // extern "C"
