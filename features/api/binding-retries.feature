@profile:since-1.34
Feature: A pod whose device failed to bind is allocated another device
  The API reference only says that binding has failed. It does not say whether the ResourceClaim is allocated anew, nor with
  which devices: the scheduler of a release prefers devices without binding conditions.

  Background:
    Given the device
      | device | bindingConditions     | bindingFailureConditions |
      | gpu-0  | attached, initialized | broken                   |
    And a ResourceClaim "c" requesting 1 device

  @case:failed-device-replaced
  @API/binding/failure
  Scenario: A pod whose device has a true binding failure condition is allocated another device
    Given a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    And the driver publishes the device
      | device |
      | gpu-1  |
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "c" is allocated exactly
      | device |
      | gpu-0  |
    When the status of ResourceClaim "c" is patched with
      """
      status:
        devices:
        - driver: dra.example.com
          pool: pool-1
          device: gpu-0
          conditions:
          - {type: broken, status: "True", reason: Lost, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
      """
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is allocated exactly
      | device |
      | gpu-1  |

  @case:failed-device-of-second-claim
  @API/binding/failure
  Scenario: A failed device of the second claim is replaced, and the first claim keeps its device
    Given the device
      | device  | driver            | pool   |
      | plain-0 | plain.example.com | pool-2 |
    And a DeviceClass "plain" with the selector
      """
      device.driver == "plain.example.com"
      """
    And a DeviceClass "fabric" with the selector
      """
      device.driver == "dra.example.com"
      """
    And a ResourceClaim "first" requesting 1 device of class "plain"
    And a ResourceClaim "second" requesting 1 device of class "fabric"
    And a pod "p" that uses ResourceClaims "first, second"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    When the driver publishes the device
      | device |
      | gpu-1  |
    And the status of ResourceClaim "second" is patched with
      """
      status:
        devices:
        - driver: dra.example.com
          pool: pool-1
          device: gpu-0
          conditions:
          - {type: broken, status: "True", reason: Lost, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
      """
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "second" is allocated exactly
      | device |
      | gpu-1  |
    And ResourceClaim "first" keeps its allocation

  @case:failed-device-behind-unready-device
  @API/binding/failure
  Scenario: A failed device is not replaced while an earlier device of the claim is not ready
    Given the devices
      | device | bindingConditions | bindingFailureConditions | driver          | pool   |
      | nic-0  | attached          | broken                   | net.example.com | pool-9 |
      | nic-1  | attached          | broken                   | net.example.com | pool-9 |
    And a DeviceClass "net" with the selector
      """
      device.driver == "net.example.com"
      """
    And a ResourceClaim "two" requesting 2 devices of class "net"
    And a pod "q" that uses ResourceClaim "two"
    When the cluster reaches a steady state
    Then pod "q" is Pending
    When the driver publishes the devices
      | device | driver          | pool   |
      | nic-2  | net.example.com | pool-9 |
      | nic-3  | net.example.com | pool-9 |
    And the status of ResourceClaim "two" is patched with
      """
      status:
        devices:
        - driver: net.example.com
          pool: pool-9
          device: nic-1
          conditions:
          - {type: broken, status: "True", reason: Lost, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
      """
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And ResourceClaim "two" keeps its allocation

  @case:ready-device-with-failure-replaced
  @API/binding/failure
  Scenario: A failed device is replaced although all of its binding conditions are true
    Given a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    And the driver publishes the device
      | device |
      | gpu-1  |
    And the status of ResourceClaim "c" is patched with
      """
      status:
        devices:
        - driver: dra.example.com
          pool: pool-1
          device: gpu-0
          conditions:
          - {type: attached, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
          - {type: initialized, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
          - {type: broken, status: "True", reason: Lost, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
      """
    And the cluster reaches a steady state
    Then ResourceClaim "c" is allocated exactly
      | device |
      | gpu-1  |

  @case:timeout-600-seconds
  @API/binding/timeout
  Scenario: A pod is allocated another device if its device is not ready after 600 seconds
    Given a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    And the driver publishes the device
      | device |
      | gpu-1  |
    And 599 seconds pass
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "c" is allocated exactly
      | device |
      | gpu-0  |
    When 1 second passes
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is allocated exactly
      | device |
      | gpu-1  |

  @case:gate-off-binds-waiting-pod
  @API/binding/needs-its-gates
  Scenario: A Pending pod is bound after DRADeviceBindingConditions is turned off in the scheduler
    Given a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    When the feature gate "DRADeviceBindingConditions" is turned off in the scheduler
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" keeps its allocation
