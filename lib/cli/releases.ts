import type { Api } from "@/lib/cli/api";
import { readJson } from "@/lib/cli/check";
import type { Report } from "@/lib/cli/terminal";
import { publishedAnswer, type PublishedAnswer } from "@/lib/releases/answer-schema";
import { simulationAnswer } from "@/lib/simulator/answer-schema";

/** What a publication or return may be told. */
export interface PublishOptions {
  readonly name?: string | undefined;
  readonly note?: string | undefined;
  /** Publish with findings, for this reason. */
  readonly force?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

const bodyOf = ({ name, note, force, dryRun }: PublishOptions) => ({
  ...(name === undefined ? {} : { name }),
  ...(note === undefined ? {} : { note }),
  ...(force === undefined ? {} : { force: true, reason: force }),
  dry_run: dryRun ?? false,
});

/** `publish`: everything that waits in staging becomes a release (`releases.md` L9). Throws as `Api.ask`. */
export async function publishAll(api: Api, options: PublishOptions): Promise<Report> {
  const data = await api.ask("/releases", { method: "POST", body: { ...bodyOf(options), items: "all" } });
  return reportRelease(publishedAnswer.parse(data), options);
}

/** `return N`: production becomes what it was as of a release (`releases.md` L12). Throws as `Api.ask`. */
export async function returnTo(api: Api, release: number, options: PublishOptions): Promise<Report> {
  const data = await api.ask(`/releases/${release}/return`, { method: "POST", body: bodyOf(options) });
  return reportRelease(publishedAnswer.parse(data), options);
}

function reportRelease(data: PublishedAnswer, { dryRun }: PublishOptions): Report {
  const { release, checks = [], effect } = data;
  const done = dryRun === true ? "Would be published" : `Release ${release.number} is published`;
  return {
    data,
    lines: [
      `${done}: ${release.items.length} items`,
      ...release.items.map(({ family, key, summary }) => `  ${family} ${key}: ${summary}`),
      ...checks.map(({ level, family, key, message }) => `  ${level}: ${family} ${key}: ${message}`),
      ...(effect === undefined ? [] : [`  ${effect.apps_changed} apps change`]),
    ],
  };
}

/** What a simulation may be told. */
export interface SimulateOptions {
  readonly environment?: string | undefined;
  readonly release?: number | undefined;
}

/** `simulate FILE`: the answer that a vehicle with this request would get, and why (`releases.md` L15). Throws as `Api.ask`. */
export async function simulateRequest(api: Api, file: string, options: SimulateOptions): Promise<Report> {
  const { environment, release } = options;
  const view = release === undefined ? { environment: environment ?? "production" } : { release };
  const answer = await api.ask("/policy/simulate", {
    method: "POST",
    body: { ...view, request: await readJson(file) },
  });
  const data = simulationAnswer.parse(answer);
  const verdict = ([build, { is_accepted, findings }]: [string, (typeof data.verdict)["regular"]]) =>
    `${build}: ${is_accepted ? "taken" : "refused"}, ${findings.length} findings`;
  return {
    data,
    lines: [
      ...data.reasons.map(({ id, sentence }) => `${id}: ${sentence}`),
      ...Object.entries(data.verdict).map(verdict),
      `${data.bytes.plain} bytes, ${data.bytes.gzip} with gzip`,
    ],
  };
}
