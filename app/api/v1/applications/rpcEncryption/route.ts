import { saveEncryption } from "@/lib/apps/applications/commands";
import { encryptionBody } from "@/lib/apps/applications/schema";
import { flagChange, orRefuse } from "@/lib/releases/approvals/request-approval";
import { methods, route } from "@/app/_api/api-route";

/** The alias is the spelling of existing clients. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route({
    summary: "Sets whether one version must encrypt its RPCs",
    needs: "publish",
    input: { body: encryptionBody },
    failures: ["conflict"],
    alias: "/api/v1/applications/rpcencryption",
    handle: async ({ input: { body }, writer }) => {
      await orRefuse(
        writer,
        flagChange({ name: "encryptionRequired", id: body.id, value: body.encryption_required }),
        (asker) => saveEncryption(asker, body.id, body.encryption_required),
      );
    },
  }),
});
