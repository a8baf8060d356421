const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What `look` finds, as soon as it finds something; a look that throws found nothing. Fails after 20 s, naming `what`. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | null | Promise<T | undefined | false | null>,
): Promise<T> {
  let last: unknown;
  for (const end = Date.now() + 20_000; Date.now() < end; await pause(50)) {
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`${what}: not within 20 s`, { cause: last });
}
