import { createCertificate } from "@/lib/certificates/commands";
import { certificateBody } from "@/lib/certificates/schema";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

/** Issues a certificate for a given private key. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({ auth: "admin", input: { body: certificateBody } }, ({ input }) => createCertificate(input.body)),
});
