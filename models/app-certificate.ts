import { Schema } from "mongoose";
import { modelOf } from "./parts";

/** The pkcs12 container of one app, replaced at every renewal: not versioned, and no part of a policy table. */
const schema = new Schema(
  {
    /** Full uuid of the app as the directory spells it. */
    _id: { type: String, required: true },
    /** Base64 without line breaks; protected by the passphrase of the settings. */
    container: { type: String, required: true },
    /** End of the certificate in it. */
    expirationTs: { type: Date, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: "app_certificates", strict: "throw" },
);
/** Renewal looks for what ends soon (`directory.md` 9.2). */
schema.index({ expirationTs: 1 });

export const AppCertificateModel = modelOf("AppCertificate", schema);
