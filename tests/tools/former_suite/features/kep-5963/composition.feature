Feature: Groups beside everything else a claim says
  Groups are the driver's. Whatever a claim asks for, and whoever holds a device, they count in the same way and
  together with counters and constraints.

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
      | set   | counter multiprocessors |
      | gpu-0 | 100                     |
      | gpu-1 | 100                     |

  Rule: A claim cannot lift the groups

    Background:
      Given the devices
        | device | attribute type | counters gpu-0     | groups gpu-0 |
        | mig-0  | string mig     | multiprocessors 20 | mig          |
        | vgpu-0 | string vgpu    | multiprocessors 50 | vgpu         |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |

    @case:a-claim-cannot-lift-the-groups-of-devices-with-a-2
    @KEP-5963/composition/claim-cannot-relax
    Scenario: A claim cannot lift the groups of devices with a request for all devices of the class
      Given a claim "c" with the request
        | request | class | mode |
        | r0      | vgpu  | All  |
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-claim-cannot-lift-the-groups-of-devices-with-2
    @KEP-5963/composition/claim-cannot-relax
    Scenario: A claim cannot lift the groups of devices with configuration for the driver
      Given a claim "c" requesting 1 device of class "vgpu"
      And claim "c" is configured with "compatibilityGroups=mig"
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

  Rule: Administrative access reaches a device in use

    @case:administrative-access-reaches-a-grouped-device-that
    @KEP-5963/compatibility/shared-group-admits
    Scenario: Administrative access reaches a grouped device that another claim holds
      Given the devices
        | device | counters gpu-0     | groups gpu-0 |
        | mig-0  | multiprocessors 20 | mig          |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" with the request
        | request | admin |
        | r0      | yes   |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | admin |
        | r0      | mig-0  | yes   |
