const LOOK_EVERY_MS = 200;

/**
 * `npm start` puts npm between the terminal and us. It passes signals on, but a `kill -9` of npm
 * would leave us running, with the port and the data dir taken: when our parent is gone, so are we.
 */
export function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, LOOK_EVERY_MS).unref();
}
