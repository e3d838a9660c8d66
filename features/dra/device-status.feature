Feature: Device status and allocation
  A driver can report the state of an allocated device in status.devices of the ResourceClaim. The allocation of
  other ResourceClaims does not depend on device status.

  Background:
    Given a DeviceClass "nic"

  @case:failed-device-still-in-use
  @DRA/device-status/not-used-for-decisions
  Scenario: A device in use is not available even if its device status has a failed condition
    Given the devices
      | device |
      | eth0   |
    And the fixture "claim-with-failed-device"
    And a ResourceClaim "c" requesting 1 device of class "nic"
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible because of DeviceInUse

  @case:other-device-allocated
  @DRA/device-status/not-used-for-decisions
  Scenario: A ResourceClaim gets a free device while a device with a failed condition is in use
    Given the devices
      | device |
      | eth0   |
      | eth1   |
    And the fixture "claim-with-failed-device"
    And a ResourceClaim "c" requesting 1 device of class "nic"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated exactly
      | device |
      | eth1   |

  @case:status-without-allocation
  @DRA/device-status/not-used-for-decisions
  Scenario: Device status without an allocation does not make a device unavailable
    Given objects that the API server rejects, because a device status can remain after its allocation
    And the devices
      | device |
      | eth0   |
    And the fixture "claim-with-report-only"
    And a ResourceClaim "c" requesting 1 device of class "nic"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated exactly
      | device |
      | eth0   |

  @case:status-with-admin-access
  @DRA/device-status/not-used-for-decisions
  Scenario: Device status of a device allocated with adminAccess does not make it unavailable
    Given the devices
      | device |
      | eth0   |
    And the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: monitor, namespace: default}
      spec:
        devices:
          requests: [{name: r0, exactly: {deviceClassName: nic, adminAccess: true}}]
      status:
        allocation:
          devices:
            results:
              - {request: r0, driver: dra.example.com, pool: pool-1, device: eth0, adminAccess: true}
        devices:
          - driver: dra.example.com
            pool: pool-1
            device: eth0
            conditions:
              - type: Ready
                status: "True"
                reason: Up
                message: The link is up.
                lastTransitionTime: "2025-01-01T00:00:00Z"
      """
    And a ResourceClaim "c" requesting 1 device of class "nic"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated exactly
      | device |
      | eth0   |
