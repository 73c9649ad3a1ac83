import { z } from "zod";
import { host } from "@/lib/platform/settings/address-kinds";
import {
  emailList,
  encryptionKey,
  fileName,
  flag,
  integerSetting,
  choiceSetting,
  orNull,
  port,
  secret,
  sender,
  textSetting,
} from "@/lib/platform/settings/kinds";

export const featureSettings = {
  Certificates: {
    CA_PRIVATE_KEY_FILENAME: orNull(fileName()).describe(
      `Private key (PEM) of your certificate authority in customizable/ca. Certificates are issued once this,
      CA_CERTIFICATE_FILENAME, CERTIFICATE_PASSPHRASE and CERTIFICATE_COMMON_NAME are set and both files can be read.`,
    ),
    CA_CERTIFICATE_FILENAME: orNull(fileName()).describe("Certificate (PEM) of the authority in customizable/ca."),
    CERTIFICATE_PASSPHRASE: secret(
      orNull(textSetting(1)),
      `Protects every pkcs12 container. Anybody may fetch containers, so use 20 characters or more. After a change,
      stored containers cannot be read until they are renewed.`,
    ),
    CA_PASSPHRASE: secret(
      orNull(textSetting(1)),
      "Opens the authority's key if it is encrypted. Not set: CERTIFICATE_PASSPHRASE.",
    ),
    CERTIFICATE_COMMON_NAME: orNull(textSetting(1, 64)).describe("Common name of issued certificates."),
    CERTIFICATE_COUNTRY: orNull(z.string().regex(/^[A-Za-z]{2}$/, { error: "must be two letters" })).describe(
      "Country (two letters) of issued certificates.",
    ),
    CERTIFICATE_STATE: orNull(textSetting(1, 128)).describe("State of issued certificates."),
    CERTIFICATE_LOCALITY: orNull(textSetting(1, 128)).describe("Locality of issued certificates."),
    CERTIFICATE_ORGANIZATION: orNull(textSetting(1, 64)).describe("Organization of issued certificates."),
    CERTIFICATE_ORGANIZATION_UNIT: orNull(textSetting(1, 64)).describe("Organizational unit of issued certificates."),
    CERTIFICATE_EMAIL_ADDRESS: orNull(textSetting(1, 128)).describe("Email address of issued certificates."),
    CERTIFICATE_HASH: choiceSetting(["sha256", "sha384", "sha512"])
      .default("sha256")
      .describe("Signature hash: sha256, sha384 or sha512."),
    CERTIFICATE_DAYS: integerSetting(1, 3650)
      .default(7)
      .describe(
        `Lifetime of issued certificates in days, 1 to 3650. They are renewed when a third of it is left, but at least
        one day and at most seven days before they expire.`,
      ),
    PRIVATE_KEY_BITSIZE: integerSetting(1024, 8192)
      .default(2048)
      .describe("Size of RSA keys, 1024 to 8192. Use 2048 or more."),
    PRIVATE_KEY_CIPHER: z.string().default("des3").describe("Accepted from older installations; has no effect."),
    MODULE_CONFIG_ENCRYPT_CERT_BUNDLE: flag(false).describe(
      `true: the module config's certificate and key go into policy tables as a Base64 pkcs12 container, which head units
      in PROPRIETARY or HTTP mode cannot read: they need PEM. false: as PEM text. Policy tables are public, so with false anybody who reaches this server gets the private key.`,
    ),
    KEY_ENCRYPTION_KEY: secret(
      orNull(encryptionKey()),
      `Encrypts private keys of the module config in the database and on disk: 32 bytes in Base64 (openssl rand -base64
      32) or hexadecimal. Stored keys are encrypted at the next start. Use the same value on all machines; without it
      the keys cannot be read.`,
    ),
    APP_CERTIFICATE_GET: choiceSetting(["public", "admin", "off"])
      .default("public")
      .describe("Who may fetch app containers: public (apps fetch their own), admin (administrators) or off (nobody)."),
  },

  Email: {
    SMTP_HOST: orNull(host()).describe(
      `Mail server. Mail is sent once this, SMTP_FROM, NOTIFY_APP_REVIEW_FREQUENCY and NOTIFY_APP_REVIEW_EMAILS are set.
      Node.js must trust its certificate: for your own authority, set NODE_EXTRA_CA_CERTS in the environment.`,
    ),
    SMTP_PORT: port()
      .default(25)
      .describe(
        "Port of the mail server. 465: TLS from the first byte. Others: TLS if offered, and required with a login.",
      ),
    SMTP_USERNAME: orNull(textSetting(1)).describe("User name at the mail server, if it needs one."),
    SMTP_PASSWORD: secret(orNull(textSetting(1)), "Password at the mail server."),
    SMTP_FROM: orNull(sender()).describe("Sender: an address, or Name <address>."),
    NOTIFY_APP_REVIEW_FREQUENCY: z
      .string()
      .toUpperCase()
      .pipe(choiceSetting(["DISABLED", "REALTIME"]))
      .default("DISABLED")
      .describe(
        "REALTIME sends a mail when new app versions wait for review; versions within a minute share one mail.",
      ),
    NOTIFY_APP_REVIEW_EMAILS: emailList().describe("Recipients, comma-separated."),
  },

  "Embedded app bundles": {
    BUNDLE_HANDLER: choiceSetting(["none", "local", "s3"])
      .default("none")
      .describe(
        `Where copies of embedded app packages are kept: none, local (DATA_DIR/bundles, served at /bundles) or s3
        (BUCKET_NAME, AWS_REGION). See docs/bundles.md.`,
      ),
    BUNDLE_ALLOW_PRIVATE: flag(false).describe(
      "Allow package addresses on private networks and this machine, and plain http, for tests.",
    ),
    BUCKET_NAME: orNull(textSetting(1)).describe("Bucket for s3. Credentials come from the provider's usual places."),
    AWS_REGION: orNull(textSetting(1)).describe("Region of the bucket."),
  },
} as const;
