/**
 * A made-up month of a fleet, for screenshots, tests and development (`bench/fill.ts --fleet`): more requests on weekdays and
 * by day, five releases that vehicles take one after the other, and an app whose calls are rejected more often after the
 * last one.
 */
import { adoptUnreleased, authorOf } from "@/lib/records/publishing/record-release";
import { allVehicles, type Cell, type Count, type Dimension } from "@/lib/fleet/dimensions";
import { addCounts } from "@/lib/fleet/stored-counts";
import { rawCollection } from "@/lib/platform/db/connection/connect";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { ApplicationModel } from "@/models/application";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ReleaseModel } from "@/models/release";
import { mix, seededRandom } from "@/bench/example-directory/random";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** At its busiest. */
const requestsPerHour = 2_400;
const share = 0.4;
const maxApps = 40;
/** Hours of a part of the fleet are told for the last days only, and many to write: only those of great parts are whole. */
const partHours = 4;
const finePart = 0.15;
const fineDays = 8;

const names = ["Autumn apps", "Location prompts", "Faster updates", "Media keys", "Climate control"] as const;
/** In days before the end. */
const releasedBefore = [29, 22, 16, 9, 3] as const;

/** Shares that need not add up to 1. */
const software = {
  "SYNC 4.2.1": 30,
  "SYNC 4.1.0": 22,
  "SYNC 4.0.3": 14,
  "SYNC 3.4.22": 12,
  "SYNC 3.4.19": 9,
  "SYNC 3.3.8": 6,
  "SYNC 3.2.1": 4,
  "SYNC 3.0.2": 0.1,
};
const countries = { US: 38, DE: 16, GB: 9, FR: 8, CA: 7, MX: 6, CN: 5, BR: 4, IT: 3, ES: 2, AU: 1.5, JP: 0.2 };
const hardware = { "APIM-4B": 46, "APIM-4A": 24, "APIM-3C": 21, "APIM-3A": 9 };
const languages = { "en-us": 44, "de-de": 17, "en-gb": 12, "fr-fr": 9, "es-mx": 8, "zh-cn": 6, "pt-br": 4 };
const systems = { "Android 15": 28, "Android 14": 21, "Android 13": 9, "iOS 18.5": 26, "iOS 17.7": 12, "iOS 16.7": 4 };
const unknownApps = { "8675309": 9, "com.example.beta": 4, "584421907": 2, "test-app": 0.02 };

interface Month {
  readonly apps: readonly string[];
  readonly groups: readonly string[];
  /** The oldest first. */
  readonly releases: readonly { readonly number: number; readonly at: number }[];
}

/** Adds five releases in the past, and the counts of the days before `now`. */
export async function fillFleetMonth(context: WriteContext, now: number, days = 31): Promise<void> {
  const month: Month = {
    apps: (await ApplicationModel.distinct("uuid")).slice(0, maxApps),
    groups: (await FunctionalGroupModel.distinct("name", { userConsentPrompt: { $ne: null } })).slice(0, 9),
    releases: await publishInThePast(context, now),
  };
  const end = Math.floor(now / hourMs) * hourMs;
  const parts = (of: "software" | "country", shares: Readonly<Record<string, number>>) =>
    listShares(shares).map(([value, part]) => [{ of, value } satisfies Cell, part] as const);
  const cells = [...parts("software", software), ...parts("country", countries)];
  for (let at = end - days * dayMs; at <= end; at += hourMs) {
    await addCounts(at, countHours(month, at, allVehicles, 1));
    const isFine = at > end - fineDays * dayMs;
    const everyOf = (part: number) => (!isFine ? 24 : part >= finePart ? 1 : partHours);
    await addCounts(
      at,
      cells.flatMap(([cell, part]) => {
        const every = everyOf(part);
        return (at / hourMs) % every === 0 ? countHours(month, at, cell, part * every) : [];
      }),
    );
  }
}

async function publishInThePast(context: WriteContext, now: number): Promise<Month["releases"]> {
  const releases: { number: number; at: number }[] = [];
  for (const [place, name] of names.entries()) {
    await inTransaction(context, async (tx) => {
      const [_id] = await tx.nextIds("functional_groups", 1);
      const rpcs = [{ name: "Show", levels: ["FULL"], parameters: [] }];
      const group = { _id, name: `Fleet-${place + 1}`, description: "", status: "PRODUCTION", rpcs };
      await FunctionalGroupModel.insertMany([group], { session: tx.session });
      await adoptUnreleased(tx, authorOf(tx.writer));
    });
    const [newest] = await rawCollection(ReleaseModel).find({}).sort({ _id: -1 }).limit(1).toArray();
    const number = Number(newest?._id);
    const at = now - (releasedBefore[place] ?? 0) * dayMs;
    await rawCollection(ReleaseModel).updateOne({ _id: number }, { $set: { at: new Date(at), name } });
    releases.push({ number, at });
  }
  // Releases are listed by number, so earlier ones must not be later.
  const before = { _id: { $lt: releases[0]?.number ?? 0 } };
  await rawCollection(ReleaseModel).updateMany(before, { $set: { at: new Date(now - 40 * dayMs) } });
  return releases;
}

const listShares = (shares: Readonly<Record<string, number>>) => {
  const whole = Object.values(shares).reduce((sum, one) => sum + one, 0);
  return Object.entries(shares).map(([value, one]) => [value, one / whole] as const);
};

/** The counts of an hour, or of as many requests as `scale` hours have. */
function countHours(month: Month, at: number, cell: Cell, scale: number): Count[] {
  const random = seededRandom(mix(at / hourMs));
  const jitter = () => 0.9 + random() * 0.2;
  const requests = Math.round(requestsPerHour * curveOf(at) * scale * jitter());
  const count = (dimension: Dimension, value: string, counters: Count["counters"]): Count => {
    return { environment: "production", cell, dimension, value, counters };
  };
  const spread = (dimension: Dimension, shares: Readonly<Record<string, number>>, part = 1) =>
    listShares(shares).map(([value, one]) => count(dimension, value, { count: requests * one * part * jitter() }));
  const read = Math.round(requests * share);
  const isWhole = cell.of === "all";
  return [
    ...(isWhole
      ? [
          count("answers", "table", { count: requests }),
          count("answers", "repaired", { count: Math.round(requests * 0.02) }),
          count("answers", "refused", { count: Math.round(requests * (isBadDay(at) ? 0.12 : 0.006)) }),
          count("sample", "requests", { answered: requests, read }),
        ]
      : []),
    ...countAdoption(month, at).map(([release, part]) => count("releases", release, { count: requests * part })),
    ...spread("software", software),
    ...spread("hardware", hardware),
    ...spread("languages", languages),
    ...spread("countries", countries),
    ...spread("systems", systems, 1.1),
    ...spread("unknownApps", unknownApps, 0.03),
    ...month.apps.map((uuid, place) => count("apps", uuid, countApp(month, at, { place, requests, jitter }))),
    ...month.groups.map((name, place) => {
      const part = requests / (3 + place);
      const willing = 0.95 - place * 0.07;
      return count("groups", name, { yes: part * willing * jitter(), no: part * (1 - willing) * jitter() });
    }),
    count("repeats", "requests", { count: requests * 0.004 }),
  ];
}

/** From 0 to 1. */
function curveOf(at: number): number {
  const date = new Date(at);
  const isWeekend = date.getUTCDay() % 6 === 0;
  const [morning, evening] = [8, 17].map((peak) => Math.exp(-((date.getUTCHours() - peak) ** 2) / 14));
  return (isWeekend ? 0.55 : 1) * (0.12 + 0.7 * (morning ?? 0) + 0.88 * (evening ?? 0));
}

const isBadDay = (at: number) => new Date(at).getUTCDate() === 13;

/** A release reaches half of the vehicles in two days; some never say what they have. */
function countAdoption({ releases }: Month, at: number): (readonly [string, number])[] {
  const known = 0.97;
  let left = known;
  const parts = [...releases].reverse().map(({ number, at: since }) => {
    const taken = at < since ? 0 : 1 - Math.exp(-(at - since) / (2.6 * dayMs));
    const part = left * taken;
    left -= part;
    return [String(number), part] as const;
  });
  const [oldest] = releases;
  return [...parts, [String((oldest?.number ?? 2) - 1), left] as const, ["unknown", 1 - known] as const].filter(
    ([, part]) => part > 0,
  );
}

function countApp(
  { releases }: Month,
  at: number,
  { place, requests, jitter }: { place: number; requests: number; jitter: () => number },
): Count["counters"] {
  const named = (requests * 0.62 * jitter()) / (1 + place * 0.45);
  const reports = named * 0.8;
  const isBroken = place === 2 && at > (releases.at(-1)?.at ?? at);
  const entry = place === 7 ? { blocked: named } : place % 9 === 5 ? { default: named } : { own: named };
  return {
    ...entry,
    reports,
    full: reports * (14 / (1 + place * 0.2)) * jitter(),
    limited: reports * 6 * jitter(),
    background: reports * 21 * jitter(),
    none: reports * 3 * jitter(),
    selections: reports * 1.7 * jitter(),
    rejected: reports * (isBroken ? 2.4 : 0.18) * jitter(),
    refused: reports * 0.05 * jitter(),
    removed: isBroken ? reports * 0.01 : 0,
  };
}
