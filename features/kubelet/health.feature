Feature: A kubelet shows the health and the use of devices

  Background:
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"

  @case:unhealthy-device
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: The container status has the health that a driver reports for a device
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When driver "dra.example.com" reports device "gpu-0" as Unhealthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Unhealthy
    When driver "dra.example.com" reports device "gpu-0" as Healthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy

  @case:stale-report
  @KUBELET/health/stale @profile:kep @profile:since-1.36
  Scenario: The health of a device is Unknown before its first health report and after the timeout
    When the kubelet prepares pod "p"
    Then the status of container "main" of pod "p" has device "gpu-0" as Unknown
    When driver "dra.example.com" reports device "gpu-0" as Healthy for 4 seconds
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy
    When the kubelet runs for 6 seconds
    Then the status of container "main" of pod "p" has device "gpu-0" as Unknown
    When driver "dra.example.com" reports device "gpu-0" as Healthy
    And the kubelet runs for 6 seconds
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy

  @case:timeouts-in-one-message
  @KUBELET/health/stale @profile:kep @profile:since-1.36
  Scenario: Each device in a health stream message has its own timeout
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pods "p, q"
    And driver "dra.example.com" reports devices in one message
      | device | health  | timeout |
      | gpu-0  | Healthy | 4       |
      | gpu-1  | Healthy | 600     |
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy
    And the status of container "main" of pod "q" has device "gpu-1" as Healthy
    When the kubelet runs for 6 seconds
    Then the status of container "main" of pod "p" has device "gpu-0" as Unknown
    And the status of container "main" of pod "q" has device "gpu-1" as Healthy

  @case:health-in-one-message
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: Each device in a health stream message has its own health
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pods "p, q"
    And driver "dra.example.com" reports devices in one message
      | device | health    |
      | gpu-0  | Unhealthy |
      | gpu-1  | Healthy   |
    Then the status of container "main" of pod "p" has device "gpu-0" as Unhealthy
    And the status of container "main" of pod "q" has device "gpu-1" as Healthy

  @case:report-of-another-device
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: A health report without a device does not change the health of the device
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pods "p, q"
    And driver "dra.example.com" reports device "gpu-0" as Unhealthy
    And driver "dra.example.com" reports device "gpu-1" as Healthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Unhealthy
    And the status of container "main" of pod "q" has device "gpu-1" as Healthy

  @case:device-of-another-pool
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: A health report of a device does not apply to a device of the same name in another pool
    Given ResourceClaim "d" is already allocated
      | device | pool   |
      | gpu-0  | pool-2 |
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pods "p, q"
    And driver "dra.example.com" reports device "gpu-0" of pool "pool-1" as Healthy
    And driver "dra.example.com" reports device "gpu-0" of pool "pool-2" as Unhealthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy
    And the status of container "main" of pod "q" has device "gpu-0" as Unhealthy

  @case:device-of-another-driver
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: A health report does not apply to a device of the same name of another driver
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "d" is already allocated
      | device | driver          |
      | gpu-0  | nic.example.com |
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pods "p, q"
    And driver "dra.example.com" reports device "gpu-0" as Healthy
    And driver "nic.example.com" reports device "gpu-0" as Unhealthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy
    And the status of container "main" of pod "q" has device "gpu-0" as Unhealthy

  @case:operation-metrics
  @KUBELET/metrics/operations @KUBELET/metrics/grpc-operations
  Scenario: Metrics count the preparation of pods and the calls to drivers
    When driver "dra.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "p" 2 times
    Then preparing pod "p" fails
    When driver "dra.example.com" now answers calls to prepare correctly
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet unprepares pod "p"
    Then the metric "dra_operations_duration_seconds" with "operation_name=PrepareResources, is_error=true" is 2
    And the metric "dra_operations_duration_seconds" with "operation_name=PrepareResources, is_error=false" is 1
    And the metric "dra_operations_duration_seconds" with "operation_name=UnprepareResources, is_error=false" is 1
    And the metric "dra_grpc_operations_duration_seconds" with "driver_name=dra.example.com, grpc_status_code=Internal" is 2
    And the metric "dra_grpc_operations_duration_seconds" with "driver_name=dra.example.com, grpc_status_code=OK" is 2
    But from Kubernetes 1.34 to 1.35, because is_error of dra_operations_duration_seconds is inverted: the metric "dra_operations_duration_seconds" with "operation_name=PrepareResources, is_error=false" is 2
    And from Kubernetes 1.34 to 1.35, because is_error of dra_operations_duration_seconds is inverted: the metric "dra_operations_duration_seconds" with "operation_name=PrepareResources, is_error=true" is 1
    And from Kubernetes 1.34 to 1.35, because is_error of dra_operations_duration_seconds is inverted: the metric "dra_operations_duration_seconds" with "operation_name=UnprepareResources, is_error=true" is 1
    And from Kubernetes 1.34 to 1.35, because is_error of dra_operations_duration_seconds is inverted: the metric "dra_grpc_operations_duration_seconds" with "driver_name=dra.example.com, grpc_status_code=Internal" is 2
    And from Kubernetes 1.34 to 1.35, because is_error of dra_operations_duration_seconds is inverted: the metric "dra_grpc_operations_duration_seconds" with "driver_name=dra.example.com, grpc_status_code=OK" is 2

  @case:metrics-of-failed-unprepare
  @KUBELET/metrics/operations @KUBELET/metrics/grpc-operations
  Scenario: Metrics count a failed call to unprepare as an error
    When the kubelet prepares pod "p"
    And driver "dra.example.com" now answers calls to unprepare with a gRPC error
    And the kubelet unprepares pod "p" 3 times
    Then unpreparing pod "p" fails
    When driver "dra.example.com" now answers calls to unprepare correctly
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And the metric "dra_operations_duration_seconds" with "operation_name=UnprepareResources, is_error=true" is 3
    And the metric "dra_operations_duration_seconds" with "operation_name=UnprepareResources, is_error=false" is 1
    And the metric "dra_grpc_operations_duration_seconds" with "driver_name=dra.example.com, grpc_status_code=Internal" is 3
    And the metric "dra_grpc_operations_duration_seconds" with "driver_name=dra.example.com, grpc_status_code=OK" is 2
    But from Kubernetes 1.34 to 1.35, because is_error of dra_operations_duration_seconds is inverted: the metric "dra_operations_duration_seconds" with "operation_name=UnprepareResources, is_error=false" is 3
    And from Kubernetes 1.34 to 1.35, because is_error of dra_operations_duration_seconds is inverted: the metric "dra_operations_duration_seconds" with "operation_name=UnprepareResources, is_error=true" is 1
    And from Kubernetes 1.34 to 1.35, because is_error of dra_operations_duration_seconds is inverted: the metric "dra_grpc_operations_duration_seconds" with "driver_name=dra.example.com, grpc_status_code=Internal" is 3

  @case:in-use-until-unprepared
  @KUBELET/metrics/in-use
  Scenario: A ResourceClaim counts as in use while its driver fails to unprepare it
    When the kubelet prepares pod "p"
    And driver "dra.example.com" now answers calls to unprepare with a gRPC error
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    And the metric "dra_resource_claims_in_use" with "driver_name=dra.example.com" is 1
    And the metric "dra_resource_claims_in_use" with "driver_name=<any>" is 1
    When driver "dra.example.com" now answers calls to unprepare correctly
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And the metric "dra_resource_claims_in_use" with "driver_name=dra.example.com" is 0

  @case:claims-in-use
  @KUBELET/metrics/in-use
  Scenario: A metric counts prepared ResourceClaims by driver
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pods "p, q"
    Then the metric "dra_resource_claims_in_use" with "driver_name=dra.example.com" is 2
    When the kubelet unprepares pod "q"
    Then the metric "dra_resource_claims_in_use" with "driver_name=dra.example.com" is 1

  @case:claim-with-two-devices-in-use
  @KUBELET/metrics/in-use
  Scenario: A ResourceClaim with two devices of a driver counts once in the metric of the driver
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
      | gpu-2  |
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pod "q"
    Then the metric "dra_resource_claims_in_use" with "driver_name=dra.example.com" is 1
    And the metric "dra_resource_claims_in_use" with "driver_name=<any>" is 1

  @case:shared-claim-in-use
  @KUBELET/metrics/in-use
  Scenario: A ResourceClaim that two pods share counts once in the metric of prepared ResourceClaims
    Given a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    Then the metric "dra_resource_claims_in_use" with "driver_name=dra.example.com" is 1
    When the kubelet unprepares pod "p"
    Then the metric "dra_resource_claims_in_use" with "driver_name=dra.example.com" is 1
    When the kubelet unprepares pod "q"
    Then the metric "dra_resource_claims_in_use" with "driver_name=dra.example.com" is 0

  @case:failed-claim-not-in-use
  @KUBELET/metrics/in-use
  Scenario: A ResourceClaim whose preparation failed is not in the metric of prepared ResourceClaims
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pod "p"
    And driver "dra.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "q"
    Then the metric "dra_resource_claims_in_use" with "driver_name=dra.example.com" is 1

  @case:claim-of-two-drivers-in-use
  @KUBELET/metrics/in-use
  Scenario: A ResourceClaim with devices of two drivers counts for each driver and once in total
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "e" is already allocated
      | request | device | driver          |
      | gpu     | gpu-1  | dra.example.com |
      | nic     | nic-0  | nic.example.com |
    And a pod "r" that uses ResourceClaim "e"
    When driver "nic.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "r" 5 times
    Then the metric "dra_resource_claims_in_use" with "driver_name=dra.example.com" is 0
    When driver "nic.example.com" now answers calls to prepare correctly
    And the kubelet prepares pods "p, r"
    Then the metric "dra_resource_claims_in_use" with "driver_name=dra.example.com" is 2
    And the metric "dra_resource_claims_in_use" with "driver_name=nic.example.com" is 1
    And the metric "dra_resource_claims_in_use" with "driver_name=<any>" is 2
    When the kubelet unprepares pod "r"
    Then the metric "dra_resource_claims_in_use" with "driver_name=dra.example.com" is 1
    And the metric "dra_resource_claims_in_use" with "driver_name=nic.example.com" is 0

  @case:containers-of-a-pod
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: Each container has the health of the devices that it uses, and of no other device
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "d" is already allocated
      | request | device | driver          |
      | one     | gpu-1  | dra.example.com |
      | two     | gpu-2  | dra.example.com |
      | three   | nic-0  | nic.example.com |
    And a pod "q" with the containers
      | container | claims |
      | all       | c, d   |
      | some      | d/two  |
      | none      |        |
    When the kubelet prepares pod "q"
    And driver "dra.example.com" reports device "gpu-0" as Unhealthy
    And driver "dra.example.com" reports device "gpu-1" as Unhealthy
    And driver "dra.example.com" reports device "gpu-2" as Unhealthy
    And driver "nic.example.com" reports device "nic-0" as Unhealthy
    Then the status of container "all" of pod "q" has device "gpu-0" as Unhealthy
    And the status of container "all" of pod "q" has device "gpu-1" as Unhealthy
    And the status of container "all" of pod "q" has device "gpu-2" as Unhealthy
    And the status of container "all" of pod "q" has device "nic-0" as Unhealthy
    And the status of container "some" of pod "q" has device "gpu-2" as Unhealthy
    And the status of container "some" of pod "q" has no health of device "gpu-0"
    And the status of container "some" of pod "q" has no health of device "gpu-1"
    And the status of container "none" of pod "q" has no health of device "gpu-0"
    And the status of container "none" of pod "q" has no health of device "gpu-1"

  @case:generated-claim
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: The health of a device of a generated ResourceClaim is in the status of the container
    Given ResourceClaim "q-gpu-k4x9q" is already allocated
      | device |
      | gpu-1  |
    And a pod "q" that uses the ResourceClaimTemplate "template" as "gpu"
    And ResourceClaim "q-gpu-k4x9q" is generated for the entry "gpu" of pod "q"
    When the kubelet prepares pod "q"
    And driver "dra.example.com" reports device "gpu-1" as Unhealthy
    Then the status of container "main" of pod "q" has device "gpu-1" as Unhealthy

  @case:after-restart
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: After a restart of the kubelet the status of a container has the health of its device
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet is killed and started again
    And driver "dra.example.com" reports device "gpu-0" as Unhealthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Unhealthy

  @case:driver-started-again
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: The status of a container has the health that a driver reports after its restart
    When the kubelet prepares pod "p"
    And driver "dra.example.com" reports device "gpu-0" as Healthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy
    When driver "dra.example.com" is stopped
    And driver "dra.example.com" is started
    And driver "dra.example.com" reports device "gpu-0" as Unhealthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Unhealthy

  @case:driver-serves-again
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: The status of a container has the health that a driver reports after its connection broke
    When the kubelet prepares pod "p"
    And driver "dra.example.com" reports device "gpu-0" as Healthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy
    When the first instance of driver "dra.example.com" crashes
    And the first instance of driver "dra.example.com" serves again
    And driver "dra.example.com" reports device "gpu-0" as Unhealthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Unhealthy

  @case:older-health-service
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: The status of a container has the health from a driver that offers only v1alpha1
    Given DRA driver "nic.example.com" on the node with the services "v1.DRAPlugin, v1alpha1.DRAResourceHealth"
    And ResourceClaim "d" is already allocated
      | device | driver          |
      | nic-0  | nic.example.com |
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pod "q"
    And driver "nic.example.com" reports device "nic-0" as Unhealthy
    Then the status of container "main" of pod "q" has device "nic-0" as Unhealthy

  @case:unknown-health
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: A device whose driver does not know its health is Unknown
    When the kubelet prepares pod "p"
    And driver "dra.example.com" reports device "gpu-0" as Healthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy
    When driver "dra.example.com" reports device "gpu-0" as Unknown
    Then the status of container "main" of pod "p" has device "gpu-0" as Unknown

  @case:stale-report-of-one-device
  @KUBELET/health/stale @profile:kep @profile:since-1.36
  Scenario: A device, healthy or not, is Unknown after its timeout until it is reported again
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pods "p, q"
    And driver "dra.example.com" reports device "gpu-0" as Unhealthy for 8 seconds
    Then the status of container "main" of pod "p" has device "gpu-0" as Unhealthy
    When the kubelet runs for 4 seconds
    And driver "dra.example.com" reports device "gpu-1" as Healthy
    And the kubelet runs for 6 seconds
    Then the status of container "main" of pod "p" has device "gpu-0" as Unknown
    And the status of container "main" of pod "q" has device "gpu-1" as Healthy
    When driver "dra.example.com" reports device "gpu-0" as Healthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy

  @case:metrics-of-two-drivers
  @KUBELET/metrics/grpc-operations
  Scenario: Metrics count calls by driver, and as OK if only a ResourceClaim has an error
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "d" is already allocated
      | device | driver          |
      | nic-0  | nic.example.com |
    And a pod "q" that uses ResourceClaim "d"
    When driver "nic.example.com" now answers calls to prepare with an error for ResourceClaim "d"
    And the kubelet prepares pods "p, q"
    Then pod "p" is prepared
    And preparing pod "q" fails
    When driver "nic.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "q" 2 times
    Then preparing pod "q" fails
    And the metric "dra_grpc_operations_duration_seconds" with "driver_name=dra.example.com" is 1
    And the metric "dra_grpc_operations_duration_seconds" with "driver_name=dra.example.com, grpc_status_code=OK" is 1
    And the metric "dra_grpc_operations_duration_seconds" with "driver_name=nic.example.com, grpc_status_code=OK" is 1
    And the metric "dra_grpc_operations_duration_seconds" with "driver_name=nic.example.com, grpc_status_code=Internal" is 2

  @case:metrics-of-other-errors
  @KUBELET/metrics/operations
  Scenario: Metrics count an error for a ResourceClaim and a missing ResourceClaim as errors
    Given a pod "q" that uses ResourceClaims "c, missing"
    When driver "dra.example.com" now answers calls to prepare with an error for ResourceClaim "c"
    And the kubelet prepares pods "p, q"
    Then preparing pod "p" fails
    And preparing pod "q" fails
    And the metric "dra_operations_duration_seconds" with "operation_name=PrepareResources, is_error=true" is 2
    And the metric "dra_operations_duration_seconds" with "operation_name=PrepareResources, is_error=false" is 0
    But from Kubernetes 1.34 to 1.35, because is_error of dra_operations_duration_seconds is inverted: the metric "dra_operations_duration_seconds" with "operation_name=PrepareResources, is_error=false" is 2

  @case:report-of-the-newest-instance
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: The health that a newer instance of a driver reports replaces that of the older instance
    When the kubelet prepares pod "p"
    And driver "dra.example.com" reports device "gpu-0" as Healthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy
    When the second instance of driver "dra.example.com" is started
    And the second instance of driver "dra.example.com" reports device "gpu-0" as Unhealthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Unhealthy

  @case:report-of-an-older-instance
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: The health that an older instance of a driver reports does not count
    When the kubelet prepares pod "p"
    And the second instance of driver "dra.example.com" is started
    And the second instance of driver "dra.example.com" reports device "gpu-0" as Healthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy
    When driver "dra.example.com" reports device "gpu-0" as Unhealthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy
    But since Kubernetes 1.36, because the health streams of all instances of a driver are read: the status of container "main" of pod "p" has device "gpu-0" as Unhealthy

  @case:health-after-the-older-instance
  @KUBELET/health/status @profile:kep @profile:since-1.36
  Scenario: The health that the newest instance reports is kept when the older instance stops
    When the kubelet prepares pod "p"
    And the second instance of driver "dra.example.com" is started
    And the second instance of driver "dra.example.com" reports device "gpu-0" as Healthy
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy
    When the first instance of driver "dra.example.com" is stopped
    Then the status of container "main" of pod "p" has device "gpu-0" as Healthy
    But since Kubernetes 1.36, because the end of any health stream of a driver clears its health: the status of container "main" of pod "p" has device "gpu-0" as Unknown
