import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { RolloutFields, type RolloutDraft, toRolloutRequest, usualRollout } from "@/app/_releases/rollout-fields";
import { RolloutSection } from "@/app/_releases/rollout-section";
import type { RolloutJson } from "@/lib/releases/answer-schema";
import { aRollout } from "@/test/support/console-stubs";
import { api, Around, button, choose, field, press, question, region, type } from "@/test/support/page";
import { useState } from "react";

/* What the pages show of a rollout (`fleet.md` S11, S13). */

const show = (partial?: Partial<RolloutJson>) =>
  render(
    <Around>
      <RolloutSection rollout={aRollout(partial)} />
    </Around>,
  );
const sent = () => api.sent.filter(({ method }) => method === "POST").map(({ path }) => path);

it.each([
  [{}, "1 % of vehicles", "50 % of vehicles get it"],
  [{ step: 1, percent: 50, next_at: null }, "50 % of vehicles", "100 % of vehicles get it when somebody goes on."],
  [{ step: 2, percent: 100, next_at: null }, "100 % of vehicles", "The rollout ends when somebody goes on."],
  [{ state: "paused", paused_at: "2026-03-01T13:00:00.000Z" }, "Paused", "No further vehicle gets the release"],
  [
    { state: "paused", paused_at: "2026-03-01T13:00:00.000Z", brake: "rejected", paused_because: "Four times as many" },
    "Stopped by the server",
    "Four times as many",
  ],
  [{ countries: ["WAEGB"], software: ["12.1", "12.2"] }, "1 % of vehicles", "Only countries WAEGB; head-unit software"],
] as const)("S13: says how far it is: %#", (partial, chip, sentence) => {
  show(partial as Partial<RolloutJson>);
  const section = region(/Rollout of release #7/);
  expect(section).toHaveTextContent(chip);
  expect(section).toHaveTextContent(sentence);
  expect(screen.getByRole("list", { name: "Steps" }).querySelector("[aria-current=step]")).toHaveTextContent(
    `${"percent" in partial ? partial.percent : 1} %`,
  );
});

it("S13: shows nothing without one", () => {
  const { container } = render(<RolloutSection rollout={null} />);
  expect(container).toBeEmptyDOMElement();
});

it("S13: pauses at once", async () => {
  show();
  await press("Pause");
  expect(sent()).toEqual(["/api/v1/rollouts/current/pause"]);
});

it("S13: a paused one goes on at once, and has no next step", async () => {
  show({ state: "paused", paused_at: "2026-03-01T13:00:00.000Z" });
  expect(screen.queryByRole("button", { name: "Next step…" })).toBeNull();
  await press("Resume");
  expect(sent()).toEqual(["/api/v1/rollouts/current/resume"]);
});

it.each([
  ["Next step…", "Go on", "They get release #7", "advance"],
  ["Finish…", "Finish", "All vehicles get it", "finish"],
  ["Call off…", "Call off", "rolled back to release #6", "cancel"],
] as const)("S13: %s is confirmed", async (opener, confirm, sentence, command) => {
  show();
  await press(opener);
  const asked = await question();
  expect(asked.getByText(new RegExp(sentence))).toBeVisible();
  expect(sent()).toEqual([]);
  await press(confirm, asked);
  expect(sent()).toEqual([`/api/v1/rollouts/current/${command}`]);
});

function Typed({ onDraft }: Readonly<{ onDraft: (draft: RolloutDraft) => void }>) {
  const [draft, setDraft] = useState(usualRollout);
  const change = (next: RolloutDraft) => {
    setDraft(next);
    onDraft(next);
  };
  return <RolloutFields draft={draft} onChange={change} />;
}

it("S11: steps are 1, 10, 50 and 100 percent, a day each, until somebody changes them", async () => {
  let draft = usualRollout;
  render(<Typed onDraft={(next) => (draft = next)} />);
  const day = { hours: 24 };
  const last = { percent: 100, hours: null };
  const all = { countries: [], software: [], hardware: [] };
  expect(toRolloutRequest(draft)).toEqual({
    ...all,
    steps: [{ percent: 1, ...day }, { percent: 10, ...day }, { percent: 50, ...day }, last],
  });
  await press("Remove step 2");
  await choose("Duration of step 1", "until somebody goes on");
  await press("Add a step");
  expect(screen.getByText("Each step must reach more vehicles than the one before")).toBeVisible();
  await type("Share of step 3", "60");
  expect(screen.queryByText(/^Each step/)).toBeNull();
  await press("Only some countries or head units");
  await type("Only in countries", "WAEGB, WAEDE,");
  expect(toRolloutRequest(draft)).toEqual({
    ...all,
    countries: ["WAEGB", "WAEDE"],
    steps: [{ percent: 1, hours: null }, { percent: 50, ...day }, { percent: 60, ...day }, last],
  });
  expect(field("Only head-unit software")).toHaveValue("");
  expect(button("Remove step 1")).toBeVisible();
});
