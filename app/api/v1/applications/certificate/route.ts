import { appCertificateAnswer } from "@/lib/certificates/answer-schema";
import { saveAppCertificate } from "@/lib/certificates/commands";
import { appCertificateBody } from "@/lib/certificates/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Stores the certificate and private key of an app",
    needs: "administer",
    input: { body: appCertificateBody },
    answer: appCertificateAnswer,
    handle: async ({ input, writer }) => {
      const notes = await saveAppCertificate(input.body, writer);
      return notes.length > 0 ? { notes } : {};
    },
  }),
});
