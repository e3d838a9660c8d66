Feature: Drivers declare compatibilityGroups and reject devices of incompatible groups

  @case:groups-left-out-when-gate-is-off
  @KEP-5963/driver-duty/omit-when-gate-off
  Scenario: A driver started with DRADeviceCompatibilityGroups off publishes no compatibilityGroups
    Given a driver with 2 devices that offers compatibility groups
    When the kubelet is restarted
    Then the ResourceSlices of the driver have compatibilityGroups
    When the driver is terminated
    And the API server restarts with the feature gate "DRADeviceCompatibilityGroups" off
    And the driver is started
    And the kubelet waits until no ResourceSlice of the driver has compatibilityGroups
    Then the ResourceSlices of the driver have no compatibilityGroups
    And the driver publishes all its devices in complete pools

  @case:gate-changes-while-the-driver-runs
  @KEP-5963/driver-duty/republish-on-gate-change
  Scenario: A driver removes and adds compatibilityGroups as DRADeviceCompatibilityGroups changes
    Given a driver with 2 devices that offers compatibility groups
    When the kubelet is restarted
    Then the ResourceSlices of the driver have compatibilityGroups
    When the API server restarts with the feature gate "DRADeviceCompatibilityGroups" off
    And the kubelet waits until no ResourceSlice of the driver has compatibilityGroups
    Then the ResourceSlices of the driver have no compatibilityGroups
    When the API server restarts with the feature gate "DRADeviceCompatibilityGroups" on
    And the kubelet waits until ResourceSlices of the driver have compatibilityGroups
    Then device 1 has the same compatibilityGroups as at the start
    And device 2 has the same compatibilityGroups as at the start

  @case:incompatible-device-not-prepared
  @KEP-5963/driver-duty/validate-at-prepare
  Scenario: A driver rejects a device that is incompatible with a prepared device
    Given a driver with 3 devices that offers compatibility groups
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    And ResourceClaim "c" is allocated device 3 of the driver
    When the kubelet prepares ResourceClaims "a, c"
    Then ResourceClaim "a" is prepared with device 1
    And ResourceClaim "c" is prepared with device 3
    When the kubelet prepares ResourceClaim "b"
    Then preparing ResourceClaim "b" fails

  @case:incompatible-devices-of-one-claim
  @KEP-5963/driver-duty/validate-at-prepare
  Scenario: A driver rejects a ResourceClaim with two devices that are incompatible
    Given a driver with 2 devices that offers compatibility groups
    And ResourceClaim "c" is allocated devices 1 and 2 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then preparing ResourceClaim "c" fails

  @case:incompatible-devices-of-one-call
  @KEP-5963/driver-duty/validate-at-prepare
  Scenario: A driver prepares at most one of two incompatible devices in one call
    Given a driver with 2 devices that offers compatibility groups
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaims "a, b"
    Then at most one of the ResourceClaims "a, b" is prepared

  @case:incompatible-device-after-release
  @KEP-5963/driver-duty/validate-at-prepare
  Scenario: A driver prepares a device when the incompatible device is no longer prepared
    Given a driver with 2 devices that offers compatibility groups
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaim "a"
    And the driver is killed and started again
    And the kubelet prepares ResourceClaim "b"
    Then preparing ResourceClaim "b" fails
    When the kubelet unprepares ResourceClaim "a"
    And the kubelet prepares ResourceClaim "b"
    Then ResourceClaim "b" is prepared with device 2

  @case:groups-of-a-used-device
  @KEP-5963/driver-duty/keep-groups-of-used-devices
  Scenario: A driver that restarts with other groups keeps the groups of a prepared device
    Given a driver with 2 devices that offers compatibility groups
    And ResourceClaim "a" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "a"
    And the driver is terminated and started again with other compatibilityGroups
    Then device 1 has the same compatibilityGroups as at the start
    And device 2 has other compatibilityGroups than at the start
