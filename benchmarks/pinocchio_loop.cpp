// Pinocchio's aba, rnea and crba and the derivatives of the first two, over all columns of arrays, with a model built
// joint by joint.
//
// Only headers are used: the wheel's libraries are compiled for any x86-64, and Eigen aligns its vectors otherwise
// under -march=native, so the two must not meet in one program.

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
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

// Three matrices side by side for each column: `step` leaves them in the places that it is given.
template <typename Step> void each_three(const Model &model, double *out, long n, Step step) {
  Data data(model);
  const long size = model.nv * model.nv;
  for (long i = 0; i < n; ++i, out += 3 * size) {
    const auto place = [&](long k) { return Eigen::Map<Eigen::MatrixXd>(out + k * size, model.nv, model.nv); };
    step(data, i, place(0), place(1), place(2));
  }
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

void rnea_derivatives_each(const Model *model, const double *const *args, double *out, long n) {
  const Columns q(args[0], model->nq, n), v(args[1], model->nv, n), a(args[2], model->nv, n);
  each_three(*model, out, n, [&](Data &data, long i, auto by_q, auto by_v, auto by_a) {
    computeRNEADerivatives(*model, data, q.col(i), v.col(i), a.col(i));
    by_q = data.dtau_dq;
    by_v = data.dtau_dv;
    by_a = data.M.selfadjointView<Eigen::Upper>();  // the lower half is not filled
  });
}

void aba_derivatives_each(const Model *model, const double *const *args, double *out, long n) {
  const Columns q(args[0], model->nq, n), v(args[1], model->nv, n), tau(args[2], model->nv, n);
  each_three(*model, out, n, [&](Data &data, long i, auto by_q, auto by_v, auto by_tau) {
    computeABADerivatives(*model, data, q.col(i), v.col(i), tau.col(i));
    by_q = data.ddq_dq;
    by_v = data.ddq_dv;
    by_tau = data.Minv;
  });
}
}  // extern "C"
#pragma GCC visibility pop
