/** Closes what a test opened once the test has ended. To be called in a `describe`; returns what takes each thing opened. */
export function closing(): <Opened extends { close(): unknown }>(opened: Opened) => Opened {
  const all: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const opened of all.splice(0)) await opened.close();
  });
  return (opened) => {
    all.push(opened);
    return opened;
  };
}
