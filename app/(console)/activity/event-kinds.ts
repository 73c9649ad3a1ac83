/** Labels of audit event kinds for the filter and the sentences of Activity (P13). */
import { formatMoment } from "@/app/_components/ui/moment";
import { plural } from "@/lib/labels/format-number";
import { type Around, around, it } from "./around";
import { memberOf } from "@/lib/policy/head-unit/values";

/** What a sentence about an event is built from. */
export interface Change {
  readonly before: unknown;
  readonly after: unknown;
}

/** A sentence without its actor: around the target, or a text if the verb says everything. */
type Told = Around | string;
type Sentence = Told | ((change: Change) => Told);
/** Label in the filter, after the area, and sentence. */
type Kind = readonly [label: string, sentence: Sentence];

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const because = (value: unknown): string => {
  const text = textOf(value);
  return text === null ? "" : `: ${text}`;
};
const moment = (value: unknown): string => formatMoment(textOf(value) ?? "an unknown time", "utc");
const turned = (member: string, what: string): Sentence => {
  return ({ after }) => around`turned ${memberOf(after, member) === true ? "on" : "off"} ${what} of ${it}`;
};
const named = (member: string, what: (name: string) => Told): Sentence => {
  return ({ after }) => what(textOf(memberOf(after, member)) ?? "something");
};
const counted = (value: unknown, one: string): string =>
  Number.isSafeInteger(value) ? ` with ${plural(Number(value), one)}` : "";

/** "blocked Pigeonpost: privacy complaint" */
function sayDecision({ before, after }: Change): Around {
  const [was, is] = [memberOf(before, "is_blacklisted") === true, memberOf(after, "is_blacklisted") === true];
  const reason = because(memberOf(after, "denial_message"));
  if (is && !was) return around`blocked ${it}${reason}`;
  if (was && !is) return around`unblocked ${it}`;
  switch (memberOf(after, "approval_status")) {
    case "ACCEPTED":
      return around`approved ${it} for production`;
    case "STAGING":
      return memberOf(before, "approval_status") === "ACCEPTED"
        ? around`moved ${it} back to staging`
        : around`approved ${it} for staging`;
    case "LIMITED":
      return around`limited ${it}${reason}`;
    case "PENDING":
      return around`moved ${it} back to pending`;
    default:
      return around`decided about ${it}`;
  }
}

const wishes: Readonly<Record<string, string>> = {
  publish: "publish",
  return: "roll back",
  decision: "decide about",
  flag: "change a setting of",
};

/** "approved the request to publish 3 items" */
function sayRequest(verb: string, of: (change: Change) => unknown): (change: Change) => Around {
  return (change) => {
    const [kind, items] = [memberOf(of(change), "kind"), memberOf(of(change), "items")];
    const wish = typeof kind === "string" ? wishes[kind] : undefined;
    if (wish === undefined || !Array.isArray(items)) return around`${verb} ${it}`;
    const texts = items.filter((item: unknown) => typeof item === "string");
    const first = texts[0]?.replace(/^[^:]*:| \d+$/g, "");
    const isApp = kind === "decision" || kind === "flag";
    const what = isApp
      ? "an app"
      : items.length === 1 && first !== undefined && first !== ""
        ? first
        : plural(items.length, "item");
    return around`${verb} ${it} to ${wish} ${what}`;
  };
}
const afterOf = ({ after }: Change) => after;
const beforeOf = ({ before }: Change) => before;

const ofRecords = (area: string): Readonly<Record<string, Kind>> =>
  Object.fromEntries(Object.entries(recordKinds).map(([verb, kind]) => [`${area}.${verb}`, kind]));
/** Kinds shared by the records of every family. */
export const recordKinds: Readonly<Record<string, Kind>> = {
  save: ["saved", around`saved ${it}`],
  delete: ["deleted in staging", around`deleted ${it} in staging`],
  promote: ["published", around`published ${it}`],
  keep: ["kept in staging during a rollback", around`kept the unpublished edit of ${it}`],
};

/** All kinds by area, in the order of the filter. */
export const eventKinds: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  Apps: {
    "applications.action": ["approved, limited, blocked or moved", sayDecision],
    "applications.store": [
      "received from the app directory",
      ({ after }) => {
        if (memberOf(after, "automatic_approval_stopped") !== undefined) {
          return around`received ${it} from the app directory and held it for a review`;
        }
        const isApproved = memberOf(after, "approval_status") === "ACCEPTED";
        return around`received ${it} from the app directory${isApproved ? " and approved it automatically" : ""}`;
      },
    ],
    "applications.blacklist": [
      "blocked by the app directory",
      around`blocked ${it} at the request of the app directory`,
    ],
    "applications.delete": [
      "deleted",
      ({ before }) => around`deleted ${it}${counted(memberOf(before, "versions"), "version")}`,
    ],
    "applications.return": ["returned after deletion", around`restored the settings of ${it}, which returned`],
    "applications.auto": ["automatic approval", turned("isAutoApprovedEnabled", "automatic approval")],
    "applications.administrator": ["administrator groups", turned("isAdministratorApp", "administrator groups")],
    "applications.passthrough": ["unknown RPCs", turned("allowUnknownRpcPassthrough", "unknown RPCs")],
    "applications.hybrid": [
      "hybrid preference",
      named("hybridAppPreference", (name) => around`set the hybrid preference of ${it} to ${name}`),
    ],
    "applications.priority": ["priority", named("priority", (name) => around`set the priority of ${it} to ${name}`)],
    "applications.encryption": ["RPC encryption", turned("encryption_required", "RPC encryption")],
    "applications.groups.grant": [
      "group granted",
      named("group", (name) => around`granted the group ${name} to ${it}`),
    ],
    "applications.groups.revoke": [
      "group revoked",
      named("group", (name) => around`revoked the group ${name} from ${it}`),
    ],
    "applications.service.grant": [
      "service permission granted",
      named("permission", (name) => around`granted the service permission ${name} to ${it}`),
    ],
    "applications.service.revoke": [
      "service permission revoked",
      named("permission", (name) => around`revoked the service permission ${name} from ${it}`),
    ],
    "applications.import": ["imported", around`imported decisions about ${it}`],
    "applications.update": ["migrated", ({ after }) => around`migrated the settings of ${it}${because(after)}`],
    "app-certificate.save": ["certificate stored", around`stored a certificate of ${it}`],
  },
  "Functional groups": ofRecords("groups"),
  "Consumer messages": ofRecords("messages"),
  "Vehicle data": ofRecords("vehicle-data"),
  "Module config": {
    ...ofRecords("module"),
    "module.renew": ["certificate renewed", around`renewed the certificate of ${it}`],
    "module.seal": ["keys encrypted", around`encrypted the stored keys of ${it}`],
  },
  Releases: {
    "releases.publish": ["published", ({ after }) => around`published ${it}${counted(after, "change")}`],
    "releases.schedule": ["scheduled", ({ after }) => around`created ${it} for ${moment(after)}`],
    "releases.move": ["moved", ({ after }) => around`moved ${it} to ${moment(after)}`],
    "releases.cancel": ["canceled", ({ before }) => around`canceled ${it} of ${moment(before)}`],
    "releases.stop": ["stopped", ({ after }) => around`stopped ${it}${because(after)}`],
    "releases.freeze": [
      "frozen",
      ({ after }) => `froze publishing until ${moment(memberOf(after, "to"))}${because(memberOf(after, "reason"))}`,
    ],
    "releases.unfreeze": ["freeze lifted", "lifted the freeze of publishing"],
  },
  Approvals: {
    "approvals.ask": ["requested", sayRequest("made", afterOf)],
    "approvals.approve": ["approved", sayRequest("approved", beforeOf)],
    "approvals.withdraw": ["withdrawn", sayRequest("withdrew", beforeOf)],
    "approvals.reject": [
      "rejected",
      (change) => {
        const { head, tail } = sayRequest("rejected", beforeOf)(change);
        return { head, tail: tail + because(memberOf(change.after, "reason")) };
      },
    ],
    "approvals.comment": ["commented on", ({ after }) => around`commented on ${it}${because(memberOf(after, "text"))}`],
    "gate.refuse": [
      "refused",
      ({ after }) => `was refused a change of production${because(memberOf(after, "reason"))}`,
    ],
  },
  "Certificates and keys": {
    "certificate.issue": ["issued", ({ after }) => `issued a certificate${because(memberOf(after, "subject"))}`],
    "private-key.create": ["private key generated", "generated a private key"],
    "private-key.read": ["private key read", around`read the private key of ${it}`],
  },
  "Sign-ins and tokens": {
    "login.succeed": ["signed in", "signed in"],
    "login.fail": [
      "failed sign-ins",
      ({ after }) => {
        const [count, address] = [memberOf(after, "count"), textOf(memberOf(after, "address"))];
        const times = Number.isSafeInteger(count) && count !== 1 ? ` ${plural(Number(count), "time")}` : "";
        return `failed to sign in${times}${address === null ? "" : ` from ${address}`}`;
      },
    ],
    "login.break-glass": ["emergency password used", "used the emergency password"],
    logout: ["signed out", "signed out"],
    "session.end": [
      "session ended",
      ({ before }) => `ended the session of ${textOf(memberOf(before, "name")) ?? "somebody"}`,
    ],
    "token.make": ["token created", around`created ${it}`],
    "token.use": ["token first used", around`used ${it} for the first time`],
    "token.revoke": ["token revoked", around`revoked ${it}`],
  },
  Server: {
    "directory.update": ["lists of the app directory", around`updated ${it} from the app directory`],
    "languages.update": ["languages", "added languages for messages"],
    "rpc-specification.store": [
      "RPC specification",
      named("version", (version) => `stored version ${version} of the RPC specification`),
    ],
    "firstData.save": ["first data", ({ after }) => `stored first data${because(after)}`],
    "import.sdl_server": ["migration", "migrated from an sdl_server"],
    "backup.read": ["backup downloaded", "downloaded a backup"],
    "backup.keep": ["backup kept", ({ after }) => `kept a backup${because(memberOf(after, "file"))}`],
    "backups.restore": ["backup restored", ({ after }) => `restored the backup of ${moment(memberOf(after, "at"))}`],
    "retention.remove": ["old records removed", "removed old records"],
  },
};

const sentences: ReadonlyMap<string, Sentence> = new Map(
  Object.values(eventKinds).flatMap((kinds) =>
    Object.entries(kinds).map(([action, [, sentence]]) => [action, sentence] as const),
  ),
);

/** The sentence of a kind; null if there is none. */
export function sentenceOf(action: string, change: Change): Told | null {
  const sentence = sentences.get(action) ?? recordKinds[action.slice(action.lastIndexOf(".") + 1)]?.[1];
  if (sentence === undefined) return null;
  return typeof sentence === "function" ? sentence(change) : sentence;
}
