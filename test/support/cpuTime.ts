/**
 * Begins to measure the processor time of this process, and returns what reads it, in milliseconds: a clock would count what
 * else the machine does, too.
 */
export function cpuTime(): () => number {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
}
