import type { RolloutJson } from "@/lib/releases/answer-schema";
import { vi } from "vitest";
import type { CountersAnswer } from "@/app/_console/answer-schema";
import type { EffectAnswer } from "@/lib/records/groups/wire";

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** The API's response: `data` of a success, or the failure. */
export type StubbedAnswer =
  | { readonly data: unknown }
  | { readonly status: number; readonly message: string; readonly data?: unknown };

/** Routes that report how a change of groups affects apps. Other tests get a response without effects. */
const effectPath = /^\/api\/v1\/ui\/groups\/(promotion\/)?effect/;
export const noEffect: EffectAnswer = {
  ...{ environment: "staging", app_count: 4, holder_count: 1, is_registration_lost: false, is_update_lost: false },
  holders: [{ id: 7, name: "Navigator" }],
  ...{ effects: [], more_effects: 0, findings: [], more_findings: 0 },
};
export const aGroupEffect = (
  partial: Partial<EffectAnswer["effects"][number]> = {},
): EffectAnswer["effects"][number] => ({
  ...{ group: "Location-1", kind: "gained", is_default: false, prompt_before: null, prompt_after: "Location" },
  ...{ app_count: 1, apps: [{ id: 5, name: "Pigeonpost" }] },
  rpcs: [
    {
      ...{ name: "GetVehicleData", kind: "gained", hmi_levels: ["FULL"], parameters: ["gps"], app_count: 1 },
      ...{ builds: ["regular", "external"], rejected_count: 0 },
    },
  ],
  rejected: [],
  ...partial,
});
const isTold = (data: unknown) => typeof data === "object" && data !== null && "effects" in data;

/** Requests wait until `answer` returns a response; gives them in order, without reads. */
export function stubApi(answer: (request: SentRequest) => StubbedAnswer | Promise<StubbedAnswer>): SentRequest[] {
  const sent: SentRequest[] = [];
  vi.stubGlobal("fetch", async (path: string, init: { method?: string; body?: string } = {}) => {
    const request: SentRequest = {
      method: init.method ?? "GET",
      path,
      body: init.body === undefined ? null : JSON.parse(init.body),
    };
    const isEffect = effectPath.test(path);
    if (request.method !== "GET" && !isEffect) sent.push(request);
    const given = await answer(request);
    const answered = isEffect && "data" in given && !isTold(given.data) ? { data: noEffect } : given;
    const failed = "status" in answered;
    const meta = {
      request_id: "9a1e0000-0000-4000-8000-000000000000",
      code: failed ? answered.status : 200,
      message: failed ? answered.message : null,
    };
    return Response.json({ meta, data: answered.data ?? {} }, { status: meta.code });
  });
  return sent;
}

export const noCounters: CountersAnswer = {
  ...{ pending_applications: 0, waiting_approvals: 0, modified_groups: 0, unmapped_rpcs: 0, unmapped_parameters: 0 },
  ...{ modified_messages: 0, modified_vehicle_data: 0, is_module_config_modified: false, unpublished_changes: 0 },
  ...{ refused_tables: { staging: null, production: null }, unreadable_applications: 0, failed_tasks: 0 },
  reader: null,
};

export const aRollout = (partial: Partial<RolloutJson> = {}): RolloutJson => ({
  ...{ number: 2, state: "running", release: 7, before: 6 },
  steps: [
    { percent: 1, hours: 24 },
    { percent: 50, hours: null },
    { percent: 100, hours: null },
  ],
  ...{ countries: [], software: [], hardware: [], step: 0, percent: 1 },
  ...{ step_since: "2026-03-01T12:00:00.000Z", next_at: "2026-03-02T12:00:00.000Z" },
  ...{ paused_at: null, paused_because: null, brake: null, ended_at: null, history: [] },
  author: { actor: "admin", display_name: "Ada", display_name_verified: false },
  started_at: "2026-03-01T12:00:00.000Z",
  ...partial,
});
