import { useRouter } from "next/navigation";
import { useState } from "react";
import { refreshCounters } from "@/app/_components/shell/navigation/counters";
import {
  type BulkAppJson,
  type BulkExcludedJson,
  bulkOutcomes,
  type BulkResultJson,
  bulkAnswer,
} from "@/lib/apps/applications/bulk/answer-schema";
import { type BulkRow, type BulkRun, type BulkStep, setBulkStep } from "./bulk-store";
import { placeOf } from "./bulk-labels";
import { describeProblem } from "@/app/_components/feedback/problem";
import type { BulkDecision } from "@/lib/apps/applications/bulk/schema";
import { post } from "@/lib/platform/http/client";

type Named = Pick<BulkRow, "uuid" | "name">;
type LeftOut = BulkExcludedJson & { readonly id?: number };

export function useBulkRun() {
  const router = useRouter();
  const [progress, setProgress] = useState<number | null>(null);

  async function run(path: string, body: SentBulk): Promise<BulkResultJson[]> {
    try {
      return await sendBulk(path, body, setProgress);
    } finally {
      setProgress(null);
      router.refresh();
      refreshCounters();
    }
  }

  /** @throws ApiError when nothing was done */
  async function decide(
    { decision, reason, onSent }: Extract<BulkStep, { kind: "ask" }>,
    apps: readonly BulkAppJson[],
    leftOut: readonly LeftOut[],
  ): Promise<void> {
    const items = apps.map(({ id, seen, findings }) => ({ id, seen, force: findings.length > 0 }));
    const path = "/api/v1/ui/applications/bulk";
    const results = await run(path, { decision, reason, ask: false, items });
    await askForRest(path, results, { decision, reason, items });
    const excluded = leftOut.map(({ id, uuid, name, reason: message }): BulkRow => {
      return { id: id ?? null, uuid, name: name ?? uuid, outcome: "excluded", message, undo: null };
    });
    const rows = sortRows([...nameRows(results, new Map(apps.map((app) => [app.id, app]))), ...excluded]);
    onSent();
    setBulkStep({ kind: "result", run: { decision, reason, environment: placeOf(apps), rows, isUndo: false } });
  }

  /** @throws ApiError when nothing was undone */
  async function undo({ rows: before, ...done }: BulkRun): Promise<void> {
    const items = before.flatMap(({ undo: item }) => item ?? []);
    const results = await run("/api/v1/ui/applications/bulk/undo", { items });
    const names = new Map(before.flatMap((row) => (row.undo === null ? [] : [[row.undo.id, row] as const])));
    const rows = nameRows(results, names).map((row) => {
      const item = items.find(({ id }) => id === row.id) ?? null;
      return { ...row, undo: row.outcome === "failed" ? item : null };
    });
    setBulkStep({ kind: "result", run: { ...done, rows: sortRows(rows), isUndo: true } });
  }

  return { progress, decide, undo };
}

function nameRows(results: readonly BulkResultJson[], named: ReadonlyMap<number, Named>): BulkRow[] {
  return results.map(({ id, outcome, message, undo }) => {
    const { uuid, name } = named.get(id) ?? { uuid: String(id), name: String(id) };
    return { id, uuid, name, outcome, message, undo };
  });
}

function sortRows(rows: readonly BulkRow[]): BulkRow[] {
  return rows.toSorted((a, b) => bulkOutcomes.indexOf(a.outcome) - bulkOutcomes.indexOf(b.outcome));
}

interface SentBulk {
  readonly decision?: BulkDecision;
  readonly reason?: string;
  readonly ask?: boolean;
  readonly items: readonly { readonly id: number }[];
}

/** Asks once for all apps that need approval, and notes in their results where it waits. */
async function askForRest(path: string, results: BulkResultJson[], { items, ...body }: SentBulk): Promise<void> {
  const waiting = new Set(results.flatMap(({ id, outcome }) => (outcome === "asked" ? id : [])));
  if (waiting.size === 0) return;
  const asked = new Map<number, BulkResultJson>();
  try {
    const data = await post(path, { arg: { ...body, items: items.filter(({ id }) => waiting.has(id)) } });
    for (const one of bulkAnswer.parse(data).results) asked.set(one.id, one);
  } catch (error) {
    for (const id of waiting) asked.set(id, failed(id, describeProblem(error)));
  }
  results.forEach((one, at) => (results[at] = asked.get(one.id) ?? one));
}

/** Small enough to show progress. */
const perRequest = 10;

/**
 * Sends several requests in turn. Once one has succeeded, a failed one does not throw: its apps count as failed, and
 * the
 * rest is skipped.
 */
async function sendBulk(
  path: string,
  { items, ...body }: SentBulk,
  onProgress: (count: number) => void,
): Promise<BulkResultJson[]> {
  const results: BulkResultJson[] = [];
  onProgress(0);
  while (results.length < items.length) {
    const part = items.slice(results.length, results.length + perRequest);
    try {
      const data = await post(path, { arg: { ...body, items: part } });
      results.push(...bulkAnswer.parse(data).results);
    } catch (error) {
      if (results.length === 0) throw error;
      const sentence = describeProblem(error);
      const rest = items.slice(results.length);
      results.push(...rest.map(({ id }, at) => failed(id, at < part.length ? sentence : `Not tried: ${sentence}`)));
    }
    onProgress(results.length);
  }
  return results;
}

const failed = (id: number, message: string): BulkResultJson => {
  return { id, outcome: "failed", message, findings: [], undo: null };
};
