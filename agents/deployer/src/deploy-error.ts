// The one error of this domain.

/** A deploy that cannot be done, for a reason that whoever asked for it should read. Nothing was changed. */
export class DeployError extends Error {
  override readonly name = 'DeployError'
}
