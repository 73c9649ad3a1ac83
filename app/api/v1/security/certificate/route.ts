import { issuedCertificateAnswer } from "@/lib/certificates/answer-schema";
import { createCertificate } from "@/lib/certificates/commands";
import { certificateBody } from "@/lib/certificates/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Issues a certificate for a given private key",
    needs: "administer",
    answer: issuedCertificateAnswer,
    input: { body: certificateBody },
    handle: ({ input, writer, say }) => createCertificate(input.body, writer, say),
  }),
});
