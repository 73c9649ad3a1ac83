import { describe, expect, it } from "vitest";
import { describeRefresh, describeRetries, describeSeconds, listAttempts } from "@/lib/content/module-config/summary";

const rules = {
  exchange_after_x_ignition_cycles: 100,
  exchange_after_x_kilometers: 1800,
  exchange_after_x_days: 30,
  timeout_after_x_seconds: 60,
  seconds_between_retries: [1, 5, 25],
};

describe("a module config in words", () => {
  it("says when a car asks", () => {
    expect(describeRefresh(rules)).toBe(
      "Vehicles request a new table after 100 starts, 1,800 km or 30 days, whichever comes first.",
    );
  });

  it("adds timeouts and pauses up", () => {
    expect(listAttempts(rules).map(({ startsAfter }) => startsAfter)).toEqual([0, 61, 126, 211]);
    expect(describeRetries(rules)).toBe(
      "Without an answer within 60 s they try again after 1 s, 5 s, 25 s and give up after 5 min.",
    );
  });

  it("knows cars that try once", () => {
    expect(describeRetries({ ...rules, seconds_between_retries: [] })).toBe(
      "They try once and give up after 60 s without an answer.",
    );
  });

  it.each([
    [0, "0 s"],
    [119, "119 s"],
    [120, "2 min"],
    [7_200, "2 h"],
    [7_500, "2 h 5 min"],
  ])("says %i seconds as %s", (seconds, words) => expect(describeSeconds(seconds)).toBe(words));
});
