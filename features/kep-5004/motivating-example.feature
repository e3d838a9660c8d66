Feature: The motivating example of KEP-5004
  A DeviceClass for GPUs of a DRA driver, a node with eight of them, and a node with two GPUs of a device plugin. The
  names are those of the KEP. Its devices have no attributes; here they have the type that the DeviceClass selects.

  Background:
    Given a DeviceClass "gpu.example.com" for extended resource "example.com/gpu" with the selector
      """
      device.driver == 'gpu.example.com' && device.attributes['gpu.example.com'].type == 'gpu'
      """
    And a node "gke-drabeta-n1-standard-4-2xt4-346fe653-zrw2" with allocatable 4 of "cpu"
    And the devices
      | device | driver          | pool | node                                         | attribute type |
      | gpu-0  | gpu.example.com | gpus | gke-drabeta-n1-standard-4-2xt4-346fe653-zrw2 | string gpu     |
      | gpu-1  | gpu.example.com | gpus | gke-drabeta-n1-standard-4-2xt4-346fe653-zrw2 | string gpu     |
      | gpu-2  | gpu.example.com | gpus | gke-drabeta-n1-standard-4-2xt4-346fe653-zrw2 | string gpu     |
      | gpu-3  | gpu.example.com | gpus | gke-drabeta-n1-standard-4-2xt4-346fe653-zrw2 | string gpu     |
      | gpu-4  | gpu.example.com | gpus | gke-drabeta-n1-standard-4-2xt4-346fe653-zrw2 | string gpu     |
      | gpu-5  | gpu.example.com | gpus | gke-drabeta-n1-standard-4-2xt4-346fe653-zrw2 | string gpu     |
      | gpu-6  | gpu.example.com | gpus | gke-drabeta-n1-standard-4-2xt4-346fe653-zrw2 | string gpu     |
      | gpu-7  | gpu.example.com | gpus | gke-drabeta-n1-standard-4-2xt4-346fe653-zrw2 | string gpu     |

  @case:seven-gpus-left
  @KEP-5004/node-backing/motivating-example
  Scenario: A pod gets one of eight GPUs, and a ResourceClaim gets the other seven
    When a pod "demo" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "demo" is Running
    And ResourceClaim "extended resources of pod demo" is allocated 1 device
    When a ResourceClaim "seven" requesting 7 devices of class "gpu.example.com" is created
    And a pod "claiming" that uses ResourceClaim "seven" is created
    And the cluster reaches a steady state
    Then pod "claiming" is Running
    When a pod "last" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "last" is Pending

  @case:device-plugin-on-other-node
  @KEP-5004/node-backing/motivating-example
  Scenario: Ten pods use eight DRA GPUs and two device plugin GPUs, and an eleventh pod stays Pending
    Given a node "gke-drabeta-n1-standard-4-2xt4-346fe653-xyz8" with allocatable 4 of "cpu" and 2 of "example.com/gpu"
    And a pod "demo-0" that requests 1 of "example.com/gpu"
    And a pod "demo-1" that requests 1 of "example.com/gpu"
    And a pod "demo-2" that requests 1 of "example.com/gpu"
    And a pod "demo-3" that requests 1 of "example.com/gpu"
    And a pod "demo-4" that requests 1 of "example.com/gpu"
    And a pod "demo-5" that requests 1 of "example.com/gpu"
    And a pod "demo-6" that requests 1 of "example.com/gpu"
    And a pod "demo-7" that requests 1 of "example.com/gpu"
    And a pod "demo-8" that requests 1 of "example.com/gpu"
    And a pod "demo-9" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "demo-0" is Running
    And pod "demo-1" is Running
    And pod "demo-2" is Running
    And pod "demo-3" is Running
    And pod "demo-4" is Running
    And pod "demo-5" is Running
    And pod "demo-6" is Running
    And pod "demo-7" is Running
    And pod "demo-8" is Running
    And pod "demo-9" is Running
    When a pod "demo-10" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "demo-10" is Pending
