/** The day of a moment in local time, as `2026-01-31`: days sort and compare as texts. */
export function dayOf(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What a day is called in a language: today, yesterday, or its date. @param day as from `dayOf` */
export function dayLabel(day: string, now: number, languages: readonly string[]): string {
  if (day === '') return '—';
  const midday = (text: string) => Date.parse(`${text}T12:00:00`);
  const distance = Math.round((midday(dayOf(now)) - midday(day)) / 86_400_000);
  if (distance === 0 || distance === 1) {
    return capital(new Intl.RelativeTimeFormat([...languages], { numeric: 'auto' }).format(-distance, 'day'));
  }
  const sameYear = day.slice(0, 4) === dayOf(now).slice(0, 4);
  const year = sameYear ? {} : { year: 'numeric' as const };
  return new Intl.DateTimeFormat([...languages], { weekday: 'long', day: 'numeric', month: 'long', ...year }).format(
    midday(day),
  );
}

/** A size as people read it. @param bytes at least 0 */
export function sizeText(bytes: number, languages: readonly string[]): string {
  const [value, unit] =
    bytes < 1e6 ? [bytes / 1e3, 'kilobyte'] : bytes < 1e9 ? [bytes / 1e6, 'megabyte'] : [bytes / 1e9, 'gigabyte'];
  return new Intl.NumberFormat([...languages], {
    style: 'unit',
    unit: unit as string,
    maximumFractionDigits: (value as number) < 10 ? 1 : 0,
  }).format(value as number);
}
