Feature: Devices that become dedicated
  A device with policies cannot be made dedicated by one field alone.

  Background:
    Given the device
      | device | shared | capacity bandwidth | policy bandwidth |
      | eth1   | yes    | 10                 | default 1        |

  @case:a-device-that-becomes-dedicated-cannot-keep-its
  @KEP-5075/device-update/policy-left-on-dedicated
  Scenario: A device that becomes dedicated cannot keep its policy
    When the ResourceSlice "pool-1-slice" is updated with
      | field                                    | value |
      | spec.devices[0].allowMultipleAllocations | false |
    Then it is rejected
    But from Kubernetes 1.34 to 1.36, because the document does not say which error it is: it is rejected with Forbidden at "spec.devices[0].capacity[bandwidth].requestPolicy"
    But since Kubernetes 1.37, because releases do not check the capacity of a device again while it is as it was: it is stored as it was written

  @case:a-device-that-becomes-dedicated-and-loses-its-policy
  @KEP-5075/device-update/policy-left-on-dedicated
  Scenario: A device that becomes dedicated and loses its policy is stored
    When the ResourceSlice "pool-1-slice" is updated with
      | field                                    | value                    |
      | spec.devices[0].allowMultipleAllocations | false                    |
      | spec.devices[0].capacity                 | {bandwidth: {value: 10}} |
    Then it is stored as it was written
