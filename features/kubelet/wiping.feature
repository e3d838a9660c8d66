Feature: A kubelet deletes the ResourceSlices of drivers that are away

  Background:
    Given DRA driver "dra.example.com" on the node
    And DRA driver "nic.example.com" on the node
    And a node "node-1"
    And the devices
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" without ResourceClaims

  @case:at-start
  @KUBELET/wiping/at-start
  Scenario: A kubelet deletes all ResourceSlices of its node when it starts
    When the kubelet prepares pod "p"
    Then the ResourceSlices of driver "dra.example.com" exist
    And the ResourceSlices of driver "nic.example.com" exist
    When the kubelet is killed and started again
    Then the ResourceSlices of driver "dra.example.com" are deleted
    And the ResourceSlices of driver "nic.example.com" are deleted

  @case:driver-away
  @KUBELET/wiping/after-30s
  Scenario: The ResourceSlices of a driver that is away are deleted after 30 seconds
    When driver "dra.example.com" is stopped
    And the kubelet runs for 22 seconds
    Then the ResourceSlices of driver "dra.example.com" exist
    When the kubelet runs for at most 20 seconds until a ResourceSlice is deleted
    Then the ResourceSlices of driver "dra.example.com" are deleted
    And the ResourceSlices of driver "nic.example.com" exist

  @case:driver-comes-back
  @KUBELET/wiping/cancelled
  Scenario: The ResourceSlices of a driver that comes back within 30 seconds are kept
    When driver "dra.example.com" is stopped
    And the kubelet runs for 10 seconds
    And driver "dra.example.com" is started
    Then the kubelet tells driver "dra.example.com" that it is registered
    When the kubelet runs for 30 seconds
    Then the ResourceSlices of driver "dra.example.com" exist
