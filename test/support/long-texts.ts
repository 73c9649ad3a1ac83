import { expect } from "vitest";

const length = 65_536;
/** Texts of 64 kB, for which an expression that is not linear takes minutes. */
export const longTexts: readonly string[] = Array.from("/\\\n\t =-+a0.%\"'[({*;,_\u200b\u{1f697}").map((character) =>
  character.repeat(length),
);
const ordinaryText = "An ordinary text, with words and 12 numbers. ".repeat(length / 45);

/** More than noise and different work explain, and far less than an expression takes that is not linear. */
const most = 40;
/** Shorter times are noise. In seconds. */
const least = 0.005;

/** Fails if `work` takes much more processor time for one of `texts`, or for one with a last letter, than for an ordinary one. */
export async function expectLinear(
  work: (text: string) => unknown,
  texts: readonly string[] = longTexts.flatMap((text) => [text, `${text}!`]),
): Promise<void> {
  const usual = Math.max(least, await secondsOf(work, ordinaryText));
  for (const text of texts) {
    let ratio = most;
    // A collection of garbage doesn't happen three times.
    for (let attempt = 0; ratio >= most && attempt < 3; attempt++) ratio = (await secondsOf(work, text)) / usual;
    expect(ratio, JSON.stringify(text.slice(0, 3))).toBeLessThan(most);
  }
}

async function secondsOf(work: (text: string) => unknown, text: string): Promise<number> {
  const begin = process.cpuUsage();
  await work(text);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1e6;
}
