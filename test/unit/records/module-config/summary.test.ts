import { describe, expect, it } from "vitest";
import {
  describeRefresh,
  describeRetries,
  describeSeconds,
  describeZeros,
  listAttempts,
} from "@/lib/records/module-config/summary";

const rules = {
  exchange_after_x_ignition_cycles: 100,
  exchange_after_x_kilometers: 1800,
  exchange_after_x_days: 30,
  timeout_after_x_seconds: 60,
  seconds_between_retries: [1, 5, 25],
};

describe("a module config in words", () => {
  it("says when a car asks", () =>
    expect(describeRefresh(rules)).toBe(
      "Vehicles request a new table after 100 starts, 1,800 km or 30 days, whichever comes first.",
    ));

  const end = "; in EXTERNAL_PROPRIETARY mode the HMI decides.";
  it.each([
    [
      60,
      [1, 5, 25, 125, 625],
      [0, 60, 121, 247, 458, 854],
      1935,
      "try again after 60 s, 2 min, 4 min, 8 min and 14 min",
    ],
    [60, [1], [0, 60], 121, "try again after 60 s"],
    [60, [], [0], 60, "don’t try again"],
    [0, [1, 5], [0], 0, "don’t try again"],
  ])("head-unit-rules 6: a timeout of %d s and retries %j", (timeout, retries, attempts, ending, words) => {
    const own = { ...rules, timeout_after_x_seconds: timeout, seconds_between_retries: retries };
    expect(listAttempts(own)).toEqual({ attempts, end: ending });
    expect(describeRetries(own)).toBe(
      `Without an answer, those in PROPRIETARY or HTTP mode ${words}, and give up after ${describeSeconds(ending)}${end}`,
    );
  });

  it("says what a 0 does", () => {
    const none = { exchange_after_x_ignition_cycles: 0, exchange_after_x_kilometers: null, timeout_after_x_seconds: 0 };
    expect(describeZeros({ ...rules, ...none })).toEqual([
      "A vehicle requests an update at every start: the number of starts is 0.",
      "A vehicle never retries an update that gets no answer: the timeout is 0 s.",
    ]);
  });

  it.each([
    [0, "0 s"],
    [119, "119 s"],
    [120, "2 min"],
    [7_200, "2 h"],
    [7_500, "2 h 5 min"],
  ])("says %i seconds as %s", (seconds, words) => expect(describeSeconds(seconds)).toBe(words));
});
