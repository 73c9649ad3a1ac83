import { z } from "zod";

export const containerAnswer = z.object({
  certificate: z.base64().describe("pkcs12 container with certificate and key, protected by the passphrase"),
});

export const privateKeyAnswer = z.string().describe("PEM private key");

export const issuedCertificateAnswer = z.object({
  certificate: z.string().describe("PEM certificate"),
  csr: z.string().describe("PEM certificate request"),
  clientKey: z.string().describe("The private key of the request"),
  serviceKey: z.null(),
});

export const appCertificateAnswer = z.object({
  notes: z
    .array(z.string())
    .readonly()
    .optional()
    .describe("Why head units may refuse the certificate; absent where there is nothing"),
});
export type AppCertificateAnswer = z.output<typeof appCertificateAnswer>;
