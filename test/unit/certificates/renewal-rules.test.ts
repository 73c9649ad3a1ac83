import { describe, expect, it } from "vitest";
import { isRenewalDue } from "@/lib/certificates/renewal-rules";

const hour = 3_600_000;
const day = 24 * hour;
const made = new Date("2026-03-01T09:00:00Z");
const after = (ms: number) => new Date(made.getTime() + ms);

describe("O1: when a certificate is renewed", () => {
  it.each([
    ["a day", 1, 1],
    ["seven days, as by default", 7, 7 / 3],
    ["a year", 365, 7],
  ])("one of %s when a third is left, at least a day and at most a week", (_name, days, left) => {
    const end = after(days * day);
    const due = end.getTime() - left * day;
    expect(isRenewalDue(end, new Date(due), made)).toBe(false);
    expect(isRenewalDue(end, new Date(due + 1), made)).toBe(true);
  });

  it("a nightly run leaves one of seven days more than a day, at whatever hour it was made", () => {
    const end = after(7 * day);
    for (let firstNight = 0; firstNight < 24; firstNight++) {
      const nights = Array.from({ length: 8 }, (_, night) => after(firstNight * hour + night * day));
      const renewed = nights.find((night) => isRenewalDue(end, night, made));
      expect(end.getTime() - Number(renewed)).toBeGreaterThan(1.3 * day);
    }
  });

  it("one whose begin is not known is renewed a day before its end, and what is missing at once", () => {
    expect(isRenewalDue(after(day), made)).toBe(false);
    expect(isRenewalDue(after(day - 1), made)).toBe(true);
    expect(isRenewalDue(null, made)).toBe(true);
  });
});
