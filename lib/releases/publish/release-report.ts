import "server-only";
import type { AppsEffect } from "@/lib/releases/answer-schema";
import { requireRelease, toReleaseJson } from "@/lib/releases/queries";
import { buildReport } from "@/lib/releases/report";
import { diffRelease } from "@/lib/releases/items/diff";
import { loadTitles } from "@/lib/releases/items/titles";
import { findReleaseApps, findReleaseEffect } from "@/lib/releases/publish/release-effect";
import { FileAnswer, StreamedData } from "@/lib/platform/http/streamed-data";

/** A release as a file in Markdown (`releases.md` L1a); throws like `findReleaseEffect`. */
export async function exportReport(number: number): Promise<FileAnswer> {
  const release = toReleaseJson(await requireRelease(number));
  const diff = await diffRelease(number);
  const effect = number > 1 ? await loadWholeEffect(number) : null;
  const titleOf = await loadTitles([...release.items, ...release.findings]);
  const text = buildReport({ release, diff, effect, titleOf });
  const type = "text/markdown; charset=utf-8";
  return new FileAnswer(await StreamedData.start(inOnePiece(text)), { type, name: `release-${number}.md` });
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}

async function loadWholeEffect(number: number): Promise<AppsEffect> {
  const effect = await findReleaseEffect(number);
  const apps = [...effect.apps];
  while (apps.length < effect.apps_changed) {
    const { apps: more } = await findReleaseApps(number, "release", apps.length);
    if (more.length === 0) break;
    apps.push(...more);
  }
  return { ...effect, apps };
}
