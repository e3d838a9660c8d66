Feature: The search and the groups
  A refusal for groups is one more filter of the search. The search tries other devices, other choices for the
  requests before, and gives up only when no combination is left.

  Background:
    Given a device class "mig" that selects
      """
      device.attributes["dra.example.com"].type == "mig"
      """
    And a device class "vgpu" that selects
      """
      device.attributes["dra.example.com"].type == "vgpu"
      """
    And the counter sets
      | set   | counter units |
      | gpu-0 | 100           |
      | gpu-1 | 100           |

  Rule: An earlier choice is taken back

    Background:
      Given the devices
        | device | attribute type | counters gpu-0 | groups gpu-0 |
        | mig-0  | string mig     | units 20       | mig          |
        | vgpu-0 | string vgpu    | units 50       | vgpu         |
        | vgpu-1 | string vgpu    | units 50       | vgpu         |

    @case:a-claim-for-any-device-takes-a-vgpu-device-after-a
    @KEP-5963/backtracking/request-order-does-not-decide-feasibility @KEP-5963/composition/other-claim-of-same-pod
    Scenario: A claim for any device takes a vGPU device after a claim for one
      Given a claim "a" requesting 1 device of class "vgpu"
      And a claim "b" requesting 1 device
      When allocation of the claims "a, b" together is attempted
      Then claim "b" gets one of
        | choice | device |
        | 1      | vgpu-0 |
        | 2      | vgpu-1 |
