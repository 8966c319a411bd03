// Ownership of things that must be let go. One owner per disposable; letting go twice is harmless.

/** Lets go of one thing. Calling it again does nothing. */
export type Disposable = () => void;

/** Wraps `run` so that only the first call has an effect. */
export function once(run: () => void): Disposable {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    run();
  };
}
