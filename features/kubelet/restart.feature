Feature: A kubelet that restarts keeps what it knows of prepared ResourceClaims

  Background:
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"

  @case:devices-are-known
  @KUBELET/restart/checkpoint @KUBELET/restart/prepares-again
  Scenario: A restarted kubelet remembers a pod's devices and prepares its ResourceClaim once more
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet is killed and started again
    Then no driver is called
    And container "main" of pod "p" gets the device "gpu-0"
    And pod "p" still needs to be unprepared
    When the kubelet prepares pod "p" 2 times
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And container "main" of pod "p" gets the device "gpu-0"
    But from Kubernetes 1.34 to 1.36, because retries append the devices of an answer to those of earlier answers: driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And from Kubernetes 1.34 to 1.36, because retries append the devices of an answer to those of earlier answers: container "main" of pod "p" gets the device "gpu-0" more than once

  @case:unprepared-after-restart
  @KUBELET/restart/checkpoint
  Scenario: After a restart a ResourceClaim is unprepared without being prepared again
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet is killed and started again
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" does not need to be unprepared

  @case:namespaces-after-restart
  @KUBELET/restart/checkpoint
  Scenario: A restarted kubelet remembers ResourceClaims of the same name in two namespaces
    Given ResourceClaim "team/c" is already allocated
      | device |
      | gpu-1  |
    And a pod "team/p" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, team/p"
    Then pod "p" is prepared
    And pod "team/p" is prepared
    When the kubelet is killed and started again
    Then container "main" of pod "p" gets the device "gpu-0"
    And container "main" of pod "team/p" gets the device "gpu-1"
    When the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And container "main" of pod "team/p" gets the device "gpu-1"
    When the kubelet unprepares pod "team/p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "team/c"

  @case:failed-prepare-is-known
  @KUBELET/restart/checkpoint
  Scenario: After a restart a ResourceClaim whose preparation failed is unprepared
    When driver "dra.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    When the kubelet is killed and started again
    Then pod "p" still needs to be unprepared
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:shared-claim-after-restart
  @KUBELET/restart/checkpoint
  Scenario: After a restart a shared ResourceClaim is unprepared with its last pod
    Given a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    Then pod "p" is prepared
    And pod "q" is prepared
    When the kubelet is killed and started again
    Then pod "p" still needs to be unprepared
    And pod "q" still needs to be unprepared
    And container "main" of pod "p" gets the device "gpu-0"
    And container "main" of pod "q" gets the device "gpu-0"
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And no driver is called
    When the kubelet unprepares pod "q"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:without-api-server
  @KUBELET/restart/no-api-server
  Scenario: A kubelet restarted without an API server unprepares ResourceClaims but prepares none
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet loses the API server
    And the kubelet is killed and started again
    Then container "main" of pod "p" gets the device "gpu-0"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:pod-gone-during-restart
  @KUBELET/unprepare/gone-pods @profile:since-1.34
  Scenario: A restarted kubelet unprepares the ResourceClaim of a pod that was removed in the meantime
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet no longer has pod "p"
    And the kubelet is killed and started again
    And the kubelet runs for at most 75 seconds until it calls a driver
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" does not need to be unprepared

  @case:generated-claim-after-restart
  @KUBELET/restart/checkpoint
  Scenario: After a restart a container gets the device of a generated ResourceClaim
    Given ResourceClaim "q-gpu-k4x9q" is already allocated
      | device |
      | gpu-1  |
    And a pod "q" that uses the ResourceClaimTemplate "template" as "gpu"
    And ResourceClaim "q-gpu-k4x9q" is generated for the entry "gpu" of pod "q"
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    When the kubelet is killed and started again
    Then container "main" of pod "q" gets the device "gpu-1"
    When the kubelet unprepares pod "q"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "q-gpu-k4x9q"

  @case:two-drivers-after-restart
  @KUBELET/restart/checkpoint
  Scenario: A restarted kubelet remembers the devices of both drivers and has both unprepare them
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "both" is already allocated
      | request | device | driver          |
      | gpu     | gpu-1  | dra.example.com |
      | nic     | nic-0  | nic.example.com |
    And a pod "q" that uses ResourceClaim "both"
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    When the kubelet is killed and started again
    Then container "main" of pod "q" gets the devices "gpu-1, nic-0"
    When the kubelet unprepares pod "q"
    Then pod "q" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "both"
    And driver "nic.example.com" is called once to unprepare ResourceClaim "both"

  @case:requests-after-restart
  @KUBELET/restart/checkpoint @KUBELET/devices/by-request
  Scenario: After a restart containers get the devices of the requests that they name
    Given ResourceClaim "d" is already allocated
      | request | device |
      | one     | gpu-1  |
      | two     | gpu-2  |
    And a pod "q" with the containers
      | container | claims |
      | first     | d/one  |
      | second    | d/two  |
      | all       | d      |
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    When the kubelet is killed and started again
    Then container "first" of pod "q" gets the device "gpu-1"
    And container "second" of pod "q" gets the device "gpu-2"
    And container "all" of pod "q" gets the devices "gpu-1, gpu-2"

  @case:both-drivers-prepare-again
  @KUBELET/restart/prepares-again
  Scenario: After a restart both drivers of a ResourceClaim prepare the ResourceClaim again
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "both" is already allocated
      | device | driver          |
      | gpu-1  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "q" that uses ResourceClaim "both"
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    When the kubelet is killed and started again
    And the kubelet prepares pod "q"
    Then pod "q" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "both"
    And driver "nic.example.com" is called once to prepare ResourceClaim "both"

  @case:fewer-devices-after-restart
  @KUBELET/prepare/no-duplicates @KUBELET/restart/prepares-again
  Scenario: After a restart a container loses a device that the driver's new response leaves out
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
      | gpu-2  |
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pod "q"
    Then container "main" of pod "q" gets the devices "gpu-1, gpu-2"
    When the kubelet is killed and started again
    And driver "dra.example.com" now answers calls to prepare with one device of each ResourceClaim
    And the kubelet prepares pod "q"
    Then pod "q" is prepared
    And container "main" of pod "q" gets the device "gpu-1"
    But from Kubernetes 1.34 to 1.36, because retries append the devices of an answer to those of earlier answers: container "main" of pod "q" gets the device "gpu-1" more than once

  @case:shared-claim-prepared-again
  @KUBELET/restart/prepares-again @KUBELET/prepare/shared
  Scenario: After a restart a shared ResourceClaim is prepared once more, for the first of its pods
    Given a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    Then driver "dra.example.com" is called once to prepare ResourceClaim "c"
    When the kubelet is killed and started again
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And no driver is called

  @case:ended-pod-after-restart
  @KUBELET/unprepare/idempotent @KUBELET/devices/not-prepared
  Scenario: After a restart no driver is called for a pod that was already unprepared
    When the kubelet prepares pod "p"
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    When the kubelet is killed and started again
    Then pod "p" does not need to be unprepared
    And container "main" of pod "p" cannot start
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And no driver is called

  @case:last-user-after-restart
  @KUBELET/restart/checkpoint @KUBELET/unprepare/last-pod
  Scenario: After a restart a shared ResourceClaim is unprepared with the remaining one of two pods
    Given a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    When the kubelet is killed and started again
    Then pod "p" does not need to be unprepared
    And pod "q" still needs to be unprepared
    When the kubelet unprepares pod "q"
    Then pod "q" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:failed-unprepare-after-restart
  @KUBELET/unprepare/until-success @KUBELET/restart/checkpoint
  Scenario: A ResourceClaim that a driver failed to unprepare is unprepared after a restart
    When the kubelet prepares pod "p"
    And driver "dra.example.com" now answers calls to unprepare with a gRPC error
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    When driver "dra.example.com" now answers calls to unprepare correctly
    And the kubelet is killed and started again
    Then pod "p" still needs to be unprepared
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:replaced-claim-after-restart
  @KUBELET/prepare/replaced-claim @KUBELET/restart/checkpoint
  Scenario: After a restart a replaced ResourceClaim is prepared once the old one is unprepared
    Given a pod "new" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    And ResourceClaim "c" is replaced while the kubelet knows it
    And the kubelet is killed and started again
    And the kubelet prepares pod "new"
    Then preparing pod "new" fails
    And no driver is called
    When the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    When the kubelet prepares pod "new"
    Then pod "new" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"

  @case:driver-fails-after-restart
  @KUBELET/restart/prepares-again @KUBELET/prepare/error-of-call
  Scenario: Preparing a pod again after a restart fails if the call to its driver fails
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet is killed and started again
    And driver "dra.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    When driver "dra.example.com" now answers calls to prepare correctly
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"

  @case:gone-pod-of-a-shared-claim
  @KUBELET/unprepare/gone-pods @KUBELET/unprepare/last-pod
  Scenario: A ResourceClaim that a removed pod shares with another pod stays prepared
    Given ResourceClaim "own" is already allocated
      | device |
      | gpu-1  |
    And a pod "gone" that uses ResourceClaims "c, own"
    When the kubelet prepares pods "p, gone"
    Then pod "gone" is prepared
    When the kubelet no longer has pod "gone"
    And the kubelet is killed and started again
    And the kubelet runs for at most 75 seconds until it calls a driver
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "own"
    And container "main" of pod "p" gets the device "gpu-0"
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:two-restarts
  @KUBELET/restart/checkpoint
  Scenario: A kubelet that restarts twice remembers the devices of a pod
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet is killed and started again
    And the kubelet is killed and started again
    Then container "main" of pod "p" gets the device "gpu-0"
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:driver-away-after-restart
  @KUBELET/unprepare/until-success @KUBELET/restart/checkpoint
  Scenario: After a restart a pod is not removed while the driver of its device is not registered
    When the kubelet prepares pod "p"
    And driver "dra.example.com" is stopped
    And the kubelet is killed and started again
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    And pod "p" still needs to be unprepared
    When driver "dra.example.com" is started
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:one-of-two-users-prepared-again
  @KUBELET/restart/checkpoint @KUBELET/unprepare/last-pod
  Scenario: After a restart a ResourceClaim stays prepared for a pod that is not prepared again
    Given a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    And the kubelet is killed and started again
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And no driver is called
    And container "main" of pod "q" gets the device "gpu-0"
    But from Kubernetes 1.34 to 1.36, because retries append the devices of an answer to those of earlier answers: pod "p" is unprepared
    And from Kubernetes 1.34 to 1.36, because retries append the devices of an answer to those of earlier answers: no driver is called
    And from Kubernetes 1.34 to 1.36, because retries append the devices of an answer to those of earlier answers: container "main" of pod "q" gets the device "gpu-0" more than once
    When the kubelet unprepares pod "q"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:devices-for-all-requests-after-restart
  @KUBELET/restart/checkpoint @KUBELET/devices/all-requests
  Scenario: After a restart a device that names no request belongs to every request
    Given ResourceClaim "d" is already allocated
      | request | device |
      | one     | gpu-1  |
      | two     | gpu-2  |
    And a pod "q" with the containers
      | container | claims |
      | first     | d/one  |
      | all       | d      |
    When driver "dra.example.com" now answers calls to prepare with devices that name no request
    And the kubelet prepares pod "q"
    Then pod "q" is prepared
    When the kubelet is killed and started again
    Then container "first" of pod "q" gets the devices "gpu-1, gpu-2"
    And container "all" of pod "q" gets the devices "gpu-1, gpu-2"

  @case:replaced-claim-of-the-same-pod
  @KUBELET/prepare/replaced-claim @KUBELET/restart/checkpoint
  Scenario: After a restart a pod whose ResourceClaim is replaced fails to be prepared again
    When the kubelet prepares pod "p"
    And ResourceClaim "c" is replaced while the kubelet knows it
    And the kubelet is killed and started again
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:killed-during-prepare
  @KUBELET/restart/checkpoint @KUBELET/unprepare/last-pod
  Scenario: After a kubelet is killed during a call to prepare, the ResourceClaim is unprepared
    When driver "dra.example.com" no longer answers calls to prepare
    And the kubelet is killed during a call to prepare pod "p", and started again
    Then driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And pod "p" still needs to be unprepared
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:prepared-after-killed-during-prepare
  @KUBELET/restart/prepares-again
  Scenario: After a kubelet is killed during a call to prepare, the ResourceClaim is prepared again
    When driver "dra.example.com" no longer answers calls to prepare
    And the kubelet is killed during a call to prepare pod "p", and started again
    And driver "dra.example.com" now answers calls to prepare correctly
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And container "main" of pod "p" gets the device "gpu-0"

  @case:killed-during-unprepare
  @KUBELET/restart/checkpoint @KUBELET/unprepare/until-success
  Scenario: After a kubelet is killed during a call to unprepare, the call is made again
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When driver "dra.example.com" no longer answers calls to unprepare
    And the kubelet is killed during a call to unprepare pod "p", and started again
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" still needs to be unprepared
    When driver "dra.example.com" now answers calls to unprepare correctly
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"
