/** Attributes of a certificate's subject in their order (`api.md` 6.4), with their X.509 names. */
export const subjectAttributes = [
  ["country", "countryName"],
  ["state", "stateOrProvinceName"],
  ["locality", "localityName"],
  ["organization", "organizationName"],
  ["organizationUnit", "organizationalUnitName"],
  ["commonName", "commonName"],
  ["emailAddress", "emailAddress"],
  ["serialNumber", "serialNumber"],
] as const;

export type SubjectOption = (typeof subjectAttributes)[number][0];

export interface SubjectAttribute {
  readonly name: (typeof subjectAttributes)[number][1];
  readonly value: string;
}

/** Values of a subject; null, missing and empty ones are omitted. */
export type SubjectValues = { readonly [option in SubjectOption]?: string | null | undefined };

export interface SubjectSettings {
  readonly certificateCountry: string | null;
  readonly certificateState: string | null;
  readonly certificateLocality: string | null;
  readonly certificateOrganization: string | null;
  readonly certificateOrganizationUnit: string | null;
  readonly certificateCommonName: string | null;
  readonly certificateEmailAddress: string | null;
}

export function buildSubject(values: SubjectValues, settings: SubjectSettings): SubjectAttribute[] {
  const defaults: SubjectValues = {
    country: settings.certificateCountry,
    state: settings.certificateState,
    locality: settings.certificateLocality,
    organization: settings.certificateOrganization,
    organizationUnit: settings.certificateOrganizationUnit,
    commonName: settings.certificateCommonName,
    emailAddress: settings.certificateEmailAddress,
  };
  return subjectAttributes.flatMap(([option, name]) => {
    const value = values[option] || defaults[option];
    return value ? [{ name, value }] : [];
  });
}
