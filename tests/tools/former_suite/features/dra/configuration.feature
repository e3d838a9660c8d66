Feature: Device configuration
  The configuration of a ResourceClaim and of its DeviceClasses is passed to the driver with the allocation. It
  does not influence which devices are allocated.

  Background:
    Given a device class "gpu" that selects
      """
      device.attributes["dra.example.com"].kind == "gpu"
      """
    And a device class "nic" that selects
      """
      device.attributes["dra.example.com"].kind == "nic"
      """
    And the devices
      | device | attribute kind |
      | gpu-0  | string gpu     |
      | gpu-1  | string gpu     |
      | nic-0  | string nic     |
    And a claim "c" with the requests
      | request | class |
      | compute | gpu   |
      | network | nic   |

  @case:unused-class-config
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config of a DeviceClass that no request uses is not in the allocation
    Given a device class "fpga"
    And device class "fpga" is configured with "shared"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source | requests | profile |
