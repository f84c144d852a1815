/** Whether a day like `2027-01-31` is in the calendar: `Date` takes 2027-02-31 for the third of March. */
export function isCalendarDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}
