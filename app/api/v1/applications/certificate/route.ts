import { saveAppCertificate } from "@/lib/certificates/commands";
import { appCertificateBody } from "@/lib/certificates/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Stores the certificate and private key of an app",
    needs: "administer",
    input: { body: appCertificateBody },
    handle: async ({ input, writer }) => {
      await saveAppCertificate(input.body, writer);
    },
  }),
});
