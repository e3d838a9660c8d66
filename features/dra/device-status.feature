Feature: What drivers report of allocated devices
  A driver may report the state of a device in status.devices of the claim that holds it. The allocation of other
  claims does not depend on that.

  Background:
    Given a device class "nic"

  @DRA/device-status/not-used-for-decisions
  Scenario: A device that its driver reports as failed is still in use
    Given the devices
      | device |
      | eth0   |
    And the fixture "claim-with-failed-device"
    And a claim "c" requesting 1 device of class "nic"
    When allocation of claim "c" is attempted
    Then nothing fits because of DeviceInUse

  @DRA/device-status/not-used-for-decisions
  Scenario: A claim gets another device while one that its driver reports as failed is in use
    Given the devices
      | device |
      | eth0   |
      | eth1   |
    And the fixture "claim-with-failed-device"
    And a claim "c" requesting 1 device of class "nic"
    When allocation of claim "c" is attempted
    Then claim "c" gets exactly
      | device |
      | eth1   |

  @DRA/device-status/not-used-for-decisions
  Scenario: A device that a claim reports on but does not hold is free for another claim
    Given objects that the API server does not admit, because a report may stay behind
    And the devices
      | device |
      | eth0   |
    And the fixture "claim-with-report-only"
    And a claim "c" requesting 1 device of class "nic"
    When allocation of claim "c" is attempted
    Then claim "c" gets exactly
      | device |
      | eth0   |

  @DRA/device-status/not-used-for-decisions
  Scenario: A device that a claim reports on and has with admin access only is free for another claim
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
    And a claim "c" requesting 1 device of class "nic"
    When allocation of claim "c" is attempted
    Then claim "c" gets exactly
      | device |
      | eth0   |
