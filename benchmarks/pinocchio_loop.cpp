// Pinocchio's aba, rnea and crba over all columns of arrays, with a model built joint by joint.
//
// Only headers are used: the wheel's libraries are compiled for any x86-64, and Eigen aligns its vectors otherwise
// under -march=native, so the two must not meet in one program.

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>

#include <stdexcept>
#include <string>

using namespace pinocchio;
using Columns = Eigen::Map<const Eigen::MatrixXd>;
using Axis = Eigen::Map<const Eigen::Vector3d>;
using RowMajor = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;

namespace {

JointModel joint_of(const std::string &kind, const Eigen::Vector3d &axis) {
  if (kind == "JointModelFreeFlyer") return JointModelFreeFlyer();
  if (kind == "JointModelRX") return JointModelRX();
  if (kind == "JointModelRY") return JointModelRY();
  if (kind == "JointModelRZ") return JointModelRZ();
  if (kind == "JointModelRevoluteUnaligned") return JointModelRevoluteUnaligned(axis);
  if (kind == "JointModelPX") return JointModelPX();
  if (kind == "JointModelPY") return JointModelPY();
  if (kind == "JointModelPZ") return JointModelPZ();
  if (kind == "JointModelPrismaticUnaligned") return JointModelPrismaticUnaligned(axis);
  throw std::invalid_argument(kind);
}

template <typename Step> void each(const Model &model, double *out, long rows, long n, Step step) {
  Data data(model);
  Eigen::Map<Eigen::MatrixXd> found(out, rows, n);
  for (long i = 0; i < n; ++i) found.col(i) = step(data, i).reshaped();
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

Model *model_new(const double *gravity) {
  Model *model = new Model();
  model->gravity.linear() = Axis(gravity);
  return model;
}

void model_delete(Model *model) { delete model; }

// The new joint's number, or -1 for a kind that is not in the list above.
long model_add(Model *model, long parent, const char *kind, const double *axis, const double *rotation,
               const double *position, double mass, const double *com, const double *inertia) {
  try {
    const SE3 placement{RowMajor(rotation), Axis(position)};
    const auto number = model->addJoint(parent, joint_of(kind, Axis(axis)), placement, std::to_string(model->njoints));
    model->appendBodyToJoint(number, Inertia(mass, Axis(com), RowMajor(inertia)), SE3::Identity());
    return static_cast<long>(number);
  } catch (const std::invalid_argument &) {
    return -1;
  }
}

void aba_each(const Model *model, const double *const *args, double *out, long n) {
  const Columns q(args[0], model->nq, n), v(args[1], model->nv, n), tau(args[2], model->nv, n);
  each(*model, out, model->nv, n, [&](Data &data, long i) -> const auto & {
    return aba(*model, data, q.col(i), v.col(i), tau.col(i));
  });
}

void rnea_each(const Model *model, const double *const *args, double *out, long n) {
  const Columns q(args[0], model->nq, n), v(args[1], model->nv, n), a(args[2], model->nv, n);
  each(*model, out, model->nv, n, [&](Data &data, long i) -> const auto & {
    return rnea(*model, data, q.col(i), v.col(i), a.col(i));
  });
}

void crba_each(const Model *model, const double *const *args, double *out, long n) {
  const Columns q(args[0], model->nq, n);
  each(*model, out, model->nv * model->nv, n, [&](Data &data, long i) -> const auto & {
    return crba(*model, data, q.col(i));
  });
}
}  // extern "C"
#pragma GCC visibility pop
