/** Input of the certificate routes (`api.md` section 6). Safe in the browser. */
import { z } from "zod";
import { Refusal, refusing } from "@/lib/platform/zod/refusing";
import { taking } from "@/lib/platform/zod/query";
import { subjectAttributes, type SubjectOption } from "@/lib/certificates/worker/subject";

const maxCharacters: Readonly<Record<SubjectOption, number>> = {
  country: 2,
  state: 128,
  locality: 128,
  organization: 64,
  organizationUnit: 64,
  commonName: 64,
  emailAddress: 128,
  serialNumber: 64,
};

/** In bits. */
const keyBits = { min: 1024, max: 8192 };
const maxDays = 3650;

type Members = Readonly<Record<string, unknown>>;

/** The first refusal of a member is the error message. */
function body<T>(options: z.ZodType, read: (body: Members) => T) {
  return taking(refusing(z.record(z.string(), z.unknown()), read), z.object({ options }));
}

export const privateKeyBody = body(
  z
    .object({ keyBitsize: z.union([z.int().min(keyBits.min).max(keyBits.max), z.string()]).nullish() })
    .nullish()
    .describe("cipher is accepted and ignored: the key is not encrypted"),
  (value) => ({ keyBitsize: readKeyBits(readOptions(value).keyBitsize) }),
);

/** Anything but a number means the default; a number must be a valid key size. */
function readKeyBits(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number !== "number") return undefined;
  if (Number.isInteger(number) && number >= keyBits.min && number <= keyBits.max) return number;
  throw new Refusal(`options.keyBitsize must be an integer from ${keyBits.min} to ${keyBits.max}`);
}

const subjectForm = Object.fromEntries(
  subjectAttributes.map(([option]) => [option, z.string().max(maxCharacters[option]).nullish()]),
);
const certificateOptions = z.object({
  clientKey: z.string().describe("PEM private key"),
  ...subjectForm,
  days: z.union([z.int().min(1).max(maxDays), z.string()]).nullish(),
});

export const certificateBody = body(certificateOptions, (value) => {
  const options = readOptions(value);
  const clientKey = readClientKey([options.clientKey, options.private_key, value.clientKey, value.private_key]);
  const texts = subjectAttributes.map(([option]) => [option, readText(option, options[option])] as const);
  const subject: { readonly [option in SubjectOption]?: string | undefined } = Object.fromEntries(texts);
  return { clientKey, subject, days: readDays(options.days) };
});
export type CertificateBody = z.output<typeof certificateBody>;

function readClientKey(candidates: readonly unknown[]): string {
  const given = candidates.find((candidate) => !isAbsent(candidate));
  if (given === undefined) throw new Refusal("options.clientKey is required");
  if (typeof given !== "string") throw new Refusal("options.clientKey must be a string");
  return given;
}

function readText(option: SubjectOption, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined;
  const path = `options.${option}`;
  if (typeof value !== "string") throw new Refusal(`${path} must be a string`);
  if (option === "country" && !/^[A-Za-z]{2}$/.test(value)) throw new Refusal(`${path} must be exactly 2 letters`);
  if (/\p{Cc}/u.test(value) || !value.isWellFormed()) throw new Refusal(`${path} must not hold control characters`);
  const most = maxCharacters[option];
  if (Array.from(value).length > most) throw new Refusal(`${path} must have at most ${most} characters`);
  return value;
}

function readDays(value: unknown): number | undefined {
  if (isAbsent(value)) return undefined;
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= maxDays) return number;
  throw new Refusal(`options.days must be an integer from 1 to ${maxDays}`);
}

const appCertificateOptions = z.object({
  app_uuid: z.string().min(1),
  clientKey: z.string().min(1).describe("PEM private key"),
  certificate: z.string().min(1).describe("PEM certificate"),
});

export const appCertificateBody = body(appCertificateOptions, (value) => {
  const { app_uuid: appUuid, clientKey, certificate } = readOptions(value);
  const isComplete = [appUuid, clientKey, certificate].every((text) => typeof text === "string" && text !== "");
  if (!isComplete || typeof appUuid !== "string" || typeof clientKey !== "string" || typeof certificate !== "string") {
    throw new Refusal("options.app_uuid, options.clientKey and options.certificate are required and must be strings");
  }
  return { appUuid, clientKey, certificate };
});
export type AppCertificateBody = z.output<typeof appCertificateBody>;

/** Reads only the two spellings of the id and ignores the rest. */
export const appIdMembers = taking(
  z
    .record(z.string(), z.unknown())
    .transform(({ AppId, appId }) => [AppId, appId].find((id) => typeof id === "string" && id !== ""))
    .pipe(z.string().optional()),
  z.object({ AppId: z.string().optional(), appId: z.string().optional() }),
);

function readOptions(value: Members): Members {
  const { options } = value;
  if (options === undefined || options === null) return {};
  if (typeof options === "object" && !Array.isArray(options)) return { ...options };
  throw new Refusal("options must be an object");
}

/** Form inputs send an empty text for the default. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
