const guide = (path: string) => `https://smartdevicelink.com/en/guides/${path}`;

export const guides = {
  applications: guide("sdl-overview-guides/policies/overview"),
  policyTable: guide("sdl-overview-guides/policies/policy-fields"),
  functionalGroups: guide("sdl-server/user-interface/messages-and-functional-groups/"),
  consumerMessages: guide("sdl-server/user-interface/messages-and-functional-groups/"),
  vehicleData: guide("sdl-server/user-interface/custom-vehicle-data/"),
  moduleConfig: guide("sdl-overview-guides/policies/policy-fields"),
  about: guide("sdl-server/user-interface/about/"),
} as const;
