/**
 * Names that a head unit with RPC specification 8.0.0 knows. It drops others from the functional groups of an update
 * before it looks at them, so the lists decide what is said about a name, never whether an update is refused.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Functions of the mobile API. */
export const knownRpcs = words(`
  AddCommand AddSubMenu Alert AlertManeuver ButtonPress CancelInteraction ChangeRegistration CloseApplication
  CreateInteractionChoiceSet CreateWindow DeleteCommand DeleteFile DeleteInteractionChoiceSet DeleteSubMenu
  DeleteWindow DiagnosticMessage DialNumber EncodedSyncPData EndAudioPassThru GenericResponse GetAppServiceData
  GetCloudAppProperties GetDTCs GetFile GetInteriorVehicleData GetInteriorVehicleDataConsent GetSystemCapability
  GetVehicleData GetWayPoints ListFiles OnAppCapabilityUpdated OnAppInterfaceUnregistered OnAppServiceData
  OnAudioPassThru OnButtonEvent OnButtonPress OnCommand OnDriverDistraction OnEncodedSyncPData OnHMIStatus
  OnHashChange OnInteriorVehicleData OnKeyboardInput OnLanguageChange OnPermissionsChange OnRCStatus
  OnSubtleAlertPressed OnSyncPData OnSystemCapabilityUpdated OnSystemRequest OnTBTClientState OnTouchEvent
  OnUpdateFile OnUpdateSubMenu OnVehicleData OnWayPointChange PerformAppServiceInteraction PerformAudioPassThru
  PerformInteraction PublishAppService PutFile ReadDID RegisterAppInterface ReleaseInteriorVehicleDataModule
  ResetGlobalProperties ScrollableMessage SendHapticData SendLocation SetAppIcon SetCloudAppProperties
  SetDisplayLayout SetGlobalProperties SetInteriorVehicleData SetMediaClockTimer Show ShowAppMenu ShowConstantTBT
  Slider Speak SubscribeButton SubscribeVehicleData SubscribeWayPoints SubtleAlert SyncPData SystemRequest
  UnpublishAppService UnregisterAppInterface UnsubscribeButton UnsubscribeVehicleData UnsubscribeWayPoints
  UpdateTurnList
`);

/** Parameters of any function of the mobile API. */
export const knownParameters = words(`
  Timeout URL accPedalPosition address addressLines airbagStatus alertIcon alertText1 alertText2 alertText3
  alignment allocatedModules allowed appCapability appHMIType appID appInfo appName appServiceId
  appServiceManifest appServiceRecord associatedServiceType audioPassThruCapabilities audioPassThruDisplayText1
  audioPassThruDisplayText2 audioStreamingIndicator audioStreamingState audioType backSeekIndicator beltStatus
  bitsPerSample bodyInformation buttonCapabilities buttonEventMode buttonName buttonPressMode cancelID choiceID
  choiceSet climateData cloudAppVehicleID clusterModeStatus clusterModes cmdID cmdIcon countRate crc
  customButtonID customPresets data dayColorScheme deliveryMode deviceInfo deviceStatus didLocation didResult
  displayCapabilities displayLayout distanceToManeuver distanceToManeuverScale driverBraking dtc dtcMask
  duplicateUpdatesFromWindowID duration eCallInfo ecuHeader ecuName electronicParkBrakeStatus emergencyEvent
  endTime engineOilLife engineTorque eta event externalTemperature fileName fileType filenames
  forwardSeekIndicator freeModules fuelLevel fuelLevel_State fuelRange fullAppID functionID gearStatus gps graphic
  handsOffSteering hapticRectData hashID headLampStatus helpPrompt hmiCapabilities hmiDisplayLanguage
  hmiDisplayLanguageDesired hmiLevel hmiZoneCapabilities iconResumed info initialPrompt initialText
  instantFuelConsumption interactionChoiceSetID interactionChoiceSetIDList interactionLayout interactionMode
  isMediaApplication isSubscribed keyboardProperties language languageDesired latitudeDegrees length
  locationDescription locationImage locationName lockScreenDismissalEnabled lockScreenDismissalWarning
  longitudeDegrees mainField1 mainField2 mainField3 mainField4 maneuverComplete manualTextEntry maxDuration
  mediaClock mediaTrack menuID menuIcon menuLayout menuName menuParams menuTitle messageData messageDataResult
  messageLength metadataTags moduleData moduleId moduleIds moduleType muteAudio myKey navigationText1
  navigationText2 nextTurnIcon ngnMediaScreenAppName nightColorScheme numTicks number odometer offset originApp
  parentID pcmStreamCapabilities permissionItem persistentFile phoneNumber playTone position prerecordedSpeech
  presetBankCapabilities prndl progressIndicator properties reason requestServiceActive requestSubType requestType
  requireEncryption resultCode rpm samplingRate scrollableMessageBody sdlVersion seatOccupancy secondaryGraphic
  secondaryImage secondaryText serviceData serviceID serviceSpecificResult serviceType serviceUri sliderFooter
  sliderHeader sliderPosition softButtonCapabilities softButtons spaceAvailable speechCapabilities speed
  stabilityControlsStatus startTime state statusBar steeringWheelAngle subscribe success supportedDiagModes
  syncFileName syncMsgVersion systemCapability systemCapabilityType systemContext systemFile systemSoftwareVersion
  targetID templateConfiguration templateTitle tertiaryText timeStamp timeToDestination timeout timeoutPrompt
  tirePressure totalDistance triggerSource tryAgainTime ttsChunks ttsName turnIcon turnList turnSignal type
  updateMode updateSubCells url userLocation vehicleType videoStreamingState vin vrCapabilities vrCommands vrHelp
  vrHelpTitle vrSynonyms wayPointType wayPoints windowID windowName windowStatus wiperStatus
`);

/** Parameters whose names differ in case only: a head unit knows one spelling, and which one varies by build. */
export const ambiguousParameters = words("timeout Timeout url URL");
