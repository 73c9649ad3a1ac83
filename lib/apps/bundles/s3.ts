import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { BundleError, type MeasuredBundle } from "@/lib/apps/bundles/handler";
import { OutgoingHttpAgent, OutgoingHttpsAgent } from "@/lib/platform/http/outgoing-agent";
import type { Settings } from "@/lib/platform/settings";

/** Same as the client's own agents. */
const keptAlive = { keepAlive: true, maxSockets: 50 };

/** The object is readable by everybody. Credentials come from the provider's usual sources. Throws BundleError. */
export async function uploadBundle(
  { file, sizeCompressedBytes }: MeasuredBundle,
  { bucketName, awsRegion }: Pick<Settings, "bucketName" | "awsRegion">,
  signal: AbortSignal,
): Promise<string> {
  if (bucketName === null || awsRegion === null) throw new BundleError("BUCKET_NAME and AWS_REGION are required");
  // Large, and few installations need it.
  const [{ S3Client }, { Upload }] = await Promise.all([import("@aws-sdk/client-s3"), import("@aws-sdk/lib-storage")]);
  const requestHandler = { httpAgent: new OutgoingHttpAgent(keptAlive), httpsAgent: new OutgoingHttpsAgent(keptAlive) };
  const client = new S3Client({ region: awsRegion, requestHandler });
  const body = createReadStream(/* turbopackIgnore: true */ file);
  const aborter = new AbortController();
  const abort = () => aborter.abort();
  signal.addEventListener("abort", abort);
  try {
    signal.throwIfAborted();
    const params = {
      Bucket: bucketName,
      Key: `${randomBytes(16).toString("hex")}.zip`,
      Body: body,
      ContentLength: sizeCompressedBytes,
      ContentType: "application/zip",
      CacheControl: "public, max-age=31536000, immutable",
      ACL: "public-read" as const,
    };
    let address: string | undefined;
    client.middlewareStack.add(
      (next) => (args) => {
        address = readAddress(args.request) ?? address;
        return next(args);
      },
      // Runs after host and path have been determined.
      { step: "finalizeRequest", name: "noteAddress", priority: "low" },
    );
    // One part at a time, because the retry of another part would continue after a failure.
    await new Upload({ client, params, abortController: aborter, queueSize: 1 }).done();
    if (address === undefined) throw new Error("the address of the upload is unknown");
    return address;
  } catch (error) {
    throw describeFailure(error, bucketName, signal);
  } finally {
    signal.removeEventListener("abort", abort);
    body.destroy();
    // After an abort, the client still has to tell the bucket to discard the received parts.
    if (!signal.aborted) client.destroy();
  }
}

/** An object is read from the URL it was uploaded to, whatever form the provider uses. */
function readAddress(request: unknown): string | undefined {
  if (typeof request !== "object" || request === null) return undefined;
  const { protocol, hostname, port, path } = request as Readonly<Record<string, unknown>>;
  if (typeof protocol !== "string" || typeof hostname !== "string" || typeof path !== "string") return undefined;
  return new URL(path, `${protocol}//${hostname}${typeof port === "number" ? `:${port}` : ""}`).href;
}

/** The provider's messages may contain keys; the name of the error is enough. */
function describeFailure(error: unknown, bucket: string, signal: AbortSignal): BundleError {
  if (signal.aborted) return new BundleError(`The upload to the bucket ${bucket} was given up: there was no time left`);
  const reason = reasonOf(error);
  const advice =
    reason === "AccessControlListNotSupported" ? "; its object ownership has to allow access control lists" : "";
  return new BundleError(`The bundle cannot be stored in the bucket ${bucket} (${reason})${advice}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
