Feature: Updates that make a device exclusive
  An exclusive device has allowMultipleAllocations false or unset. An update that makes a device exclusive must also
  remove its request policies.

  Background:
    Given the device
      | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
      | eth1   | yes                      | 10                 | default 1               |

  @case:exclusive-keeps-policy-rejected
  @KEP-5075/device-update/policy-left-on-dedicated
  Scenario: An update that makes a device exclusive but keeps its requestPolicy is rejected
    When ResourceSlice "pool-1-slice" is updated with
      | field                                    | value |
      | spec.devices[0].allowMultipleAllocations | false |
    Then the object is rejected
    But from Kubernetes 1.34 to 1.36, because the KEP does not specify the error: the object is rejected with Forbidden at "spec.devices[0].capacity[bandwidth].requestPolicy"
    But since Kubernetes 1.38, because the KEP does not specify the error: the object is rejected with Forbidden at "spec.devices[0].capacity[bandwidth].requestPolicy"
    But in Kubernetes 1.37, because this release does not validate the unchanged capacity of a device again: the object is stored as written

  @case:exclusive-drops-policy-stored
  @KEP-5075/device-update/policy-left-on-dedicated
  Scenario: An update that makes a device exclusive and removes its requestPolicy is stored
    When ResourceSlice "pool-1-slice" is updated with
      | field                                    | value                    |
      | spec.devices[0].allowMultipleAllocations | false                    |
      | spec.devices[0].capacity                 | {bandwidth: {value: 10}} |
    Then the object is stored as written
