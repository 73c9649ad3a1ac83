import { Schema } from "mongoose";
import { modelOf } from "./parts";

/** The pkcs12 container of one app, replaced at every renewal: not versioned, and not part of policy tables. */
const schema = new Schema(
  {
    /** Full uuid of the app in the app directory's spelling. */
    _id: { type: String, required: true },
    /** Base64 without line breaks; protected by the configured passphrase. */
    container: { type: String, required: true },
    expirationTs: { type: Date, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: "app_certificates", strict: "throw" },
);
schema.index({ expirationTs: 1 });

export const AppCertificateModel = modelOf("AppCertificate", schema);
