import { expect, onTestFinished } from "vitest";
import { createLanePolicy } from "@/lib/lane/lane-policy";
import { loadSettings } from "@/lib/settings";
import { answerText, shortenedTable } from "./answers";
import { patience } from "./fake-policy-source";

/** The policy of a lane in this process with the present settings, stopped when the test ends. */
export function aLane(address: Promise<string>) {
  const lane = createLanePolicy(loadSettings(), address);
  const { runtime } = lane;
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= lane.stop());
  onTestFinished(stop);
  runtime.start();
  const reaches = (state: string, revision: number | null) =>
    expect.poll(() => [runtime.status().state, runtime.status().revision], patience).toEqual([state, revision]);
  /** A whole answer in production. */
  const answer = () => {
    const policy = runtime.policy("production");
    return policy && answerText(policy, shortenedTable({}));
  };
  return { runtime, reaches, answer, stop };
}
