import "server-only";
import { z } from "zod";
import { callDirectory, type DirectoryCall, cleanText } from "@/lib/apps/directory/client/call";
import type { DirectoryEndpoint } from "@/lib/apps/directory/client/endpoint";
import { DirectoryFailed, DirectoryRefused } from "@/lib/apps/directory/client/errors";
import {
  listedCategory,
  listedCountry,
  listedPermission,
  listedService,
  type DirectoryPermission,
} from "@/lib/apps/directory/answers/list-schemas";
import { pageSize, readPages, batchUuids } from "@/lib/apps/directory/client/pages";
import { isStopped, pause } from "@/lib/platform/async";
import { log } from "@/lib/platform/log";
import { createPacer } from "@/lib/platform/process/pacer";
import { memberOf } from "@/lib/policy/head-unit/values";

export interface ClientOptions {
  readonly deadlineMs?: number;
  /** Milliseconds before the retries of a failed GET; default: 1 s and 3 s. */
  readonly repeatAfterMs?: readonly number[];
  /** Number of pages requested at the same time; default: 4. */
  readonly pagesAtOnce?: number;
  /** Aborts all calls and pauses, e.g. when the process stops. */
  readonly stop?: AbortSignal;
}

export interface DirectoryApproval {
  readonly uuid: string;
  readonly version_id: number;
  readonly approval_status: string;
  readonly notes: string | null;
  readonly blacklist: boolean;
}

const longestList = 10_000;
const maxShown = 5;

const includeAll = { include_deleted: true, include_blacklisted: true, limit: pageSize };

/** `directory.md` section 2. Rejects only with `DirectoryRefused` or `DirectoryFailed` (rule H6). */
export function createDirectoryClient(endpoint: DirectoryEndpoint, options: ClientOptions = {}) {
  const { deadlineMs = 10_000, repeatAfterMs = [1_000, 3_000], pagesAtOnce = 4 } = options;
  const secrets = [endpoint.publicKey, endpoint.secretKey];
  const ownStops = options.stop === undefined ? [] : [options.stop];

  async function attempt<T>(
    call: DirectoryCall,
    parse: (body: unknown) => T | Promise<T>,
    stop?: AbortSignal,
  ): Promise<T> {
    const stops = stop === undefined ? ownStops : [...ownStops, stop];
    const pauses = call.method === "GET" ? repeatAfterMs : [];
    for (let made = 0; ; made++) {
      try {
        return await parse(await callDirectory(endpoint, call, { deadlineMs, stops }));
      } catch (error) {
        const failure = toDirectoryError(error);
        if (isStopped(stops)) throw failure;
        logFailure(call, failure, made + 1);
        const ms = failure instanceof DirectoryFailed ? pauses[made] : undefined;
        if (ms === undefined) throw failure;
        await pause(ms, stops);
      }
    }
  }

  const readList = (entity: string, list: string, query: DirectoryCall["query"] = {}, stop?: AbortSignal) =>
    attempt({ method: "GET", entity, query }, (body) => parseList(body, list), stop);
  const readParsed = <T>(entity: string, list: string, element: z.ZodType<T>, query: DirectoryCall["query"] = {}) =>
    attempt({ method: "GET", entity, query }, (body) =>
      keepUsable(parseList(body, list), element, { entity, secrets }),
    );

  return {
    /** All apps, even deleted and blacklisted ones, in order in pages of 50 (`directory.md` 3.1); elements unparsed. */
    applicationPages: (): AsyncIterable<readonly unknown[]> =>
      readPages(
        (offset, stop) => readList("application", "applications", { ...includeAll, offset }, stop),
        Math.max(1, pagesAtOnce),
      ),
    /** Including deleted and blacklisted apps, without unknown ones. Elements unparsed. */
    applications: async (uuids: readonly string[]): Promise<readonly unknown[]> => {
      const found: unknown[] = [];
      for (const batch of batchUuids(uuids)) {
        found.push(...(await readList("application", "applications", { uuid: batch.join(","), ...includeAll })));
      }
      return found;
    },
    categories: () => readParsed("category", "categories", listedCategory),
    permissions: () =>
      attempt(
        { method: "GET", entity: "permission", query: { include_hidden: true, include_parents: true } },
        async (body) => {
          const listed = flattenPermissions(parseList(body, "permission_categories"));
          return mergePermissions(await keepUsable(listed, listedPermission, { entity: "permission", secrets }));
        },
      ),
    services: () => readParsed("service", "services", listedService, { include_permissions: true }),
    countries: () => readParsed("country", "countries", listedCountry),
    locales: () => readList("locale", "locales"),
    sendApproval: (element: DirectoryApproval): Promise<void> =>
      attempt(
        { method: "PUT", entity: "application/approval/vendor", body: { applications: [element] } },
        () => undefined,
      ),
  };
}

export type DirectoryClient = Readonly<ReturnType<typeof createDirectoryClient>>;

/** The list in `data` (rule H3). A list longer than rule H7 allows is an error: a part of it would look complete. */
function parseList(body: unknown, list: string): readonly unknown[] {
  const answer = z.object({ data: z.object({ [list]: z.array(z.unknown()).max(longestList) }) }).safeParse(body);
  const found = answer.data?.data[list];
  if (found === undefined) throw new DirectoryFailed(`The app directory's answer holds no usable list "${list}"`);
  return found;
}

const permissionCategory = z.object({ permissions: z.array(z.unknown()).max(longestList) });

function flattenPermissions(categories: readonly unknown[]): readonly unknown[] {
  const parsed = z.array(permissionCategory).safeParse(categories);
  const listed = parsed.data?.flatMap(({ permissions }) => permissions);
  if (listed === undefined || listed.length > longestList) {
    throw new DirectoryFailed("The app directory's answer holds no usable list of permissions");
  }
  return listed;
}

/** The platform's errors may quote what was sent, so only their names are used. */
function toDirectoryError(error: unknown): DirectoryFailed | DirectoryRefused {
  if (error instanceof DirectoryFailed || error instanceof DirectoryRefused) return error;
  return new DirectoryFailed(
    `The app directory's answer cannot be used (${error instanceof Error ? error.name : "unknown"})`,
  );
}

function logFailure({ method, entity }: DirectoryCall, failure: DirectoryFailed | DirectoryRefused, attempt: number) {
  const line = { method, path: `/api/v2/${entity}`, status: failure.status, attempt, reason: failure.message };
  log.warn(line, "a call of the app directory did not succeed");
}

/** Validates in slices, so that other work can run in between. The log never contains one of the `secrets`. */
async function keepUsable<T>(
  list: readonly unknown[],
  element: z.ZodType<T>,
  { entity, secrets }: { readonly entity: string; readonly secrets: readonly string[] },
): Promise<readonly T[]> {
  const pace = createPacer();
  const usable: T[] = [];
  const reasons: string[] = [];
  for (const [index, item] of list.entries()) {
    const parsed = element.safeParse(item);
    if (parsed.success) usable.push(parsed.data);
    else reasons.push(cleanText(`${nameOf(item) ?? index}: ${describeIssues(parsed.error)}`, secrets));
    await pace();
  }
  if (reasons.length > 0) {
    const line = { entity, left_out: reasons.length, of: list.length, reasons: reasons.slice(0, maxShown) };
    log.warn(line, "elements of the app directory's answer cannot be used");
  }
  if (list.length > 0 && usable.length === 0) {
    throw new DirectoryFailed(`Nothing in the app directory's list "${entity}" can be used`);
  }
  return usable;
}

function nameOf(item: unknown): string | null {
  return ["key", "name"].map((name) => memberOf(item, name)).find((value) => typeof value === "string") ?? null;
}

/** Names of members and the kind of problem, never a value. */
function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, code }) => `${path.map(String).join(".") || "element"} (${code})`).join(", ");
}

/** A permission in several categories counts once: the first, with the parents of all. */
function mergePermissions(list: readonly DirectoryPermission[]): readonly DirectoryPermission[] {
  const merged = new Map<string, DirectoryPermission>();
  for (const permission of list) {
    const first = merged.get(permission.key);
    const parents = first === undefined ? permission.parents : [...new Set([...first.parents, ...permission.parents])];
    merged.set(permission.key, { ...(first ?? permission), parents });
  }
  return [...merged.values()];
}
